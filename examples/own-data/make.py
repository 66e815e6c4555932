"""Makes the example folders beside it, always the same: python3 make.py [FOLDER]."""
import math
import pathlib
import random
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)


def write(name, lines):
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


def grid_triangles(columns, rows, is_filled):
    """Every filled unit square of a grid as two triangles of corners (x, y)."""
    for x in range(columns - 1):
        for y in range(rows - 1):
            if is_filled(x, y):
                yield (x, y), (x + 1, y), (x + 1, y + 1)
                yield (x, y), (x, y + 1), (x + 1, y + 1)


def street(corner):
    """(2, 3) → C4, like the fields of a chess board."""
    return f"{'ABCDEFGH'[corner[0]]}{corner[1] + 1}"


def trajectory(rng):
    """Walks from A1 to H6 around a lake: in the north along streets, or in the south through a park?"""
    lake = {(2, 1), (3, 1), (2, 2), (3, 2)}
    houses = {(x, y) for x in range(1, 7) for y in (3, 4)}
    triangles = list(grid_triangles(8, 6, lambda x, y: (x, y) not in lake | houses))
    streets = sorted({((x + a, y + b), (x + c, y + d)) for x, y in houses
                      for a, b, c, d in ((0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1))})
    write("trajectory/complex.txt", ["# the park as triangles, then the streets between houses; nothing in the lake",
                                     *(" ".join(map(street, simplex)) for simplex in triangles + streets)])

    paths, labels = [], ["name,label"]
    for number in range(80):
        corner, path = (0, 0), ["A1"]
        north = number % 2 == 0
        goals = [(1, 4) if north else (5, 1), (7, 5)]
        while goals:
            if corner == goals[0]:
                goals.pop(0)
                continue
            x, y = corner
            steps = [(x + 1, y)] * (x < goals[0][0]) + [(x, y + 1)] * (y < goals[0][1])
            corner = rng.choice(steps)
            path.append(street(corner))
        paths.append(",".join(path))
        known = number < 70
        labels.append(f"walk{number:02d},{('north' if north else 'south') if known else ''}")
    write("trajectory/paths.csv", paths)
    write("trajectory/labels.csv", labels)


def imputation(rng):
    """Water in a mesh of pipes: what flows into a joint flows out of it. Some meters are broken."""
    triangles = list(grid_triangles(7, 7, lambda x, y: True))
    flow = {}
    for a, b, c in triangles:
        x, y = (a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3
        whirl = 3 * math.sin(x) * math.cos(y) + 1
        if (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0:
            whirl = -whirl  # around the triangle the other way
        for start, end in ((a, b), (b, c), (c, a)):
            sign = 1 if start < end else -1
            edge = (min(start, end), max(start, end))
            flow[edge] = flow.get(edge, 0) + sign * whirl
    broken = set(rng.sample(sorted(flow), len(flow) // 10))
    rows = [f"{street(a)},{street(b)},{'' if (a, b) in broken else format(value, '.4f')}"
            for (a, b), value in sorted(flow.items())]
    write("imputation/complex.txt", [" ".join(map(street, triangle)) for triangle in triangles])
    write("imputation/values_1.csv", ["v0,v1,value", *rows])
    write("imputation/dataset.yaml", ["name: pipes", "oriented: true   # from v0 to v1; the other way it is negative"])


def simplex_classification(rng):
    """Who is in which club? Friends meet in small groups, mostly of one club."""
    people = [f"p{number:02d}" for number in range(40)]
    club = {person: "chess" if number % 2 else "rowing" for number, person in enumerate(people)}
    groups = set()
    for _ in range(60):
        name = rng.choice(["chess", "rowing"])
        members = [person for person in people if club[person] == name]
        group = rng.sample(members, rng.choice([2, 3, 3, 4]))
        if rng.random() < 0.2:
            group[0] = rng.choice(people)
        groups.add(tuple(sorted(set(group))))
    write("simplex-classification/complex.txt", ["# all people, then the groups that meet", *people,
                                                 *(" ".join(group) for group in sorted(groups) if len(group) > 1)])
    features, classes = ["v0,hours_outside,books"], ["v0,class"]
    for person in people:
        rowing = club[person] == "rowing"
        features.append(f"{person},{rng.gauss(1 if rowing else 0, 1):.2f},{rng.gauss(0 if rowing else 1, 1):.2f}")
        classes.append(f"{person},{club[person] if rng.random() < 0.9 else ''}")
    write("simplex-classification/features_0.csv", features)
    write("simplex-classification/classes_0.csv", classes)


def simplex_regression(rng):
    """How loud is a street corner? The cars there and at the corners next to it make the noise; some are not measured."""
    triangles = list(grid_triangles(8, 8, lambda x, y: True))
    corners = sorted({corner for triangle in triangles for corner in triangle})
    near = {corner: set() for corner in corners}
    for triangle in triangles:
        for corner in triangle:
            near[corner] |= set(triangle) - {corner}
    cars = {corner: rng.randint(1, 40) for corner in corners}
    targets = ["v0,value"]
    for corner in corners:
        around = sum(cars[other] for other in near[corner]) / len(near[corner])
        noise = 40 + 0.4 * cars[corner] + 0.8 * around + rng.gauss(0, 0.5)
        targets.append(f"{street(corner)},{format(noise, '.1f') if rng.random() < 0.9 else ''}")
    write("simplex-regression/complex.txt", [" ".join(map(street, triangle)) for triangle in triangles])
    write("simplex-regression/features_0.csv", ["v0,cars", *(f"{street(corner)},{cars[corner]}" for corner in corners)])
    write("simplex-regression/targets_0.csv", targets)


def graph_classification(rng):
    """Small complexes with a hole (a ring of triangles) or without (a fan of triangles)."""
    labels = ["name,label"]
    for number in range(40):
        size, hole = rng.randint(4, 9), number % 2 == 0
        name = f"shape{number:02d}"
        if hole:
            lines = [line for i in range(size) for line in
                     (f"{i} {(i + 1) % size} {size + i}", f"{(i + 1) % size} {size + i} {size + (i + 1) % size}")]
        else:
            lines = [f"{i} {(i + 1) % (2 * size)} {2 * size}" for i in range(2 * size)]
        write(f"graph-classification/{name}/complex.txt", lines)
        labels.append(f"{name},{('ring' if hole else 'disc') if number < 36 else ''}")
    write("graph-classification/labels.csv", labels)


def graph_regression(rng):
    """Groups of people without a circle of friends: how many pairs of them have a friend in common?"""
    labels = ["name,label"]
    for number in range(60):
        size, crowd = rng.randint(8, 14), number % 4  # a new member finds one friend; popular ones the more easily
        friends = [1]
        lines = []
        for member in range(1, size):
            friend = rng.choices(range(member), [count ** crowd for count in friends])[0]
            lines.append(f"{friend} {member}")
            friends[friend] += 1
            friends.append(1)
        friends[0] -= 1
        name = f"group{number:02d}"
        write(f"graph-regression/{name}/complex.txt", lines)
        pairs = sum(count * (count - 1) // 2 for count in friends)
        labels.append(f"{name},{pairs if number < 54 else ''}")
    write("graph-regression/labels.csv", labels)


def simplex_prediction(rng):
    """Three authors, each two of whom wrote papers together: did all three write one together?"""
    authors = ["Abel", "Bose", "Cori", "Dirac", "Euler", "Fermi", "Gauss", "Hodge", "Ito", "Jordan", "Klein", "Lie",
               "Meyer", "Noether", "Onsager", "Peano", "Riemann", "Stokes", "Tutte", "Ulam"]
    papers = []
    for _ in range(110):
        centre = rng.randrange(len(authors))
        near = [(centre + step) % len(authors) for step in (1, 2, 3, 4, 5)]
        papers.append(tuple(sorted([centre, *rng.sample(near, rng.choice([1, 1, 1, 2]))])))
    together = {}
    for paper in papers:
        for i, a in enumerate(paper):
            together[(a,)] = together.get((a,), 0) + 1
            for b in paper[i + 1:]:
                together[a, b] = together.get((a, b), 0) + 1
    triples = {paper for paper in papers if len(paper) == 3}
    candidates = [(a, b, c) for a in range(20) for b in range(a + 1, 20) for c in range(b + 1, 20)
                  if {(a, b), (b, c), (a, c)} <= together.keys()]

    def names(simplex):
        return [authors[vertex] for vertex in simplex]

    write("simplex-prediction/complex.txt",
          [*(" ".join(names(key)) for key in sorted(together, key=lambda key: (len(key), key)))])
    write("simplex-prediction/features_0.csv",
          ["v0,papers", *(f"{authors[key[0]]},{count}" for key, count in sorted(together.items()) if len(key) == 1)])
    write("simplex-prediction/features_1.csv",
          ["v0,v1,papers", *(f"{','.join(names(key))},{count}" for key, count in sorted(together.items()) if len(key) == 2)])
    write("simplex-prediction/candidates.csv",
          ["v0,v1,v2,label", *(f"{','.join(names(triple))},{int(triple in triples) if rng.random() < 0.9 else ''}"
                               for triple in candidates)])


for make in (trajectory, imputation, simplex_classification, simplex_regression, graph_classification, graph_regression,
             simplex_prediction):
    make(random.Random(make.__name__))
