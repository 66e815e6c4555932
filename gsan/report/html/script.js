// Values on hover, by touch and by keyboard; copy buttons. Without it the page reads the same, and every mark has
// the tooltip that the browser shows for <title>.
'use strict';
(() => {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.hidden = true;
  tip.setAttribute('role', 'status');
  document.body.append(tip);
  let shown = null;

  function hide() {
    tip.hidden = true;
    if (shown) shown.classList.remove('near');
    shown = null;
  }

  function show(mark, text) {
    if (shown !== mark) hide();
    shown = mark;
    if (mark.matches('circle')) mark.classList.add('near');
    tip.textContent = text;
    tip.hidden = false;
    place();
  }

  function place() {
    const box = shown.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const left = box.left + box.width / 2 - own.width / 2;
    const above = box.top - own.height - 10;
    tip.style.left = Math.max(6, Math.min(left, innerWidth - own.width - 6)) + 'px';
    tip.style.top = (above > 6 ? above : box.bottom + 10) + 'px';
  }

  // The browser's own tooltip would cover ours: <title> becomes a label.
  function texts(svg) {
    for (const title of svg.querySelectorAll(':scope * > title')) {
      title.parentNode.dataset.tip = title.textContent;
      title.parentNode.setAttribute('aria-label', title.textContent);
      title.remove();
    }
  }

  // The name of the curve, then x and y with the digits that a reader needs.
  function pointText(point) {
    const number = text => String(+(+text).toPrecision(6));
    const axis = point.closest('figure').dataset.axis || 'x';
    return `${point.closest('.curve').dataset.name}\n${axis} ${number(point.dataset.x)}: ${number(point.dataset.y)}`;
  }

  // Marks are points of curves, cells, bars and simplices: whatever has a text.
  function chart(svg) {
    texts(svg);
    const points = [...svg.querySelectorAll('.curve [data-x]')];
    const marks = points.length ? points : [...svg.querySelectorAll('[data-tip]')];
    if (!marks.length) return;
    let at = -1;
    const choose = i => {
      at = i;
      show(marks[i], points.length ? pointText(marks[i]) : marks[i].dataset.tip);
    };
    // The middles of the marks within the picture, measured once for each width of it.
    let middles = [], width = -1;
    const nearest = event => {
      const own = svg.getBoundingClientRect();
      if (own.width !== width) {
        width = own.width;
        middles = marks.map(mark => {
          const box = mark.getBoundingClientRect();
          return [box.left + box.width / 2 - own.left, box.top + box.height / 2 - own.top];
        });
      }
      let best = -1, least = Infinity;
      middles.forEach(([x, y], i) => {
        const far = (own.left + x - event.clientX) ** 2 + (own.top + y - event.clientY) ** 2;
        if (far < least) { least = far; best = i; }
      });
      return best;
    };
    const pointed = event => {
      if (points.length) return choose(nearest(event));
      const mark = event.target.closest('[data-tip]');
      if (mark) choose(marks.indexOf(mark)); else hide();
    };
    svg.addEventListener('pointermove', pointed);
    svg.addEventListener('pointerdown', pointed);
    svg.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse') hide(); });
    svg.setAttribute('tabindex', '0');
    svg.addEventListener('focus', () => { if (svg.matches(':focus-visible')) choose(Math.max(at, 0)); });
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) {
        choose((at + step + marks.length) % marks.length);
        event.preventDefault();
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && points.length) {
        event.preventDefault();
        otherCurve(event.key === 'ArrowDown' ? 1 : -1);
      } else if (event.key === 'Escape') {
        hide();
      }
    });
    // The point of the next curve at the nearest x.
    function otherCurve(step) {
      const curves = [...new Set(marks.map(mark => mark.closest('.curve')))];
      const here = Math.max(at, 0), x = +marks[here].dataset.x;
      const next = curves[(curves.indexOf(marks[here].closest('.curve')) + step + curves.length) % curves.length];
      let best = here, least = Infinity;
      marks.forEach((mark, i) => {
        const far = Math.abs(mark.dataset.x - x);
        if (mark.closest('.curve') === next && far < least) { least = far; best = i; }
      });
      choose(best);
    }
  }

  // A picture of several panels is one chart: its panels are pictures inside it.
  document.querySelectorAll('figure > svg').forEach(chart);

  for (const cell of document.querySelectorAll('td[title]')) {
    cell.dataset.tip = cell.title;
    cell.removeAttribute('title');
    cell.tabIndex = 0;
    cell.addEventListener('pointerenter', () => show(cell, cell.dataset.tip));
    cell.addEventListener('pointerleave', hide);
    cell.addEventListener('focus', () => show(cell, cell.dataset.tip));
    cell.addEventListener('blur', hide);
  }
  // What has the focus keeps its text: moving the focus may scroll by itself.
  addEventListener('scroll', () => {
    const focus = document.activeElement;
    if (shown && focus !== document.body && focus.contains(shown)) place(); else hide();
  }, { passive: true, capture: true });
  addEventListener('keydown', event => { if (event.key === 'Escape') hide(); });

  for (const box of document.querySelectorAll('.copy')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text = box.querySelector('pre').textContent;
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        getSelection().selectAllChildren(box.querySelector('pre'));
        done = document.execCommand('copy');
      }
      button.textContent = done ? 'Copied' : 'Press Ctrl-C';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    box.append(button);
  }

  // Paper shows what is folded on the screen.
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(one => { one.open = true; }));
})();
