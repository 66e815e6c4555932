"""What records the operations of torch instead of computing with numbers. The compiled core cannot be recorded: a call is
refused before anything of it is touched, since what it keeps must hold numbers."""
from __future__ import annotations

import torch


def is_exporting() -> bool:
    """torch.compiler.is_exporting(), which torch.compile of some versions takes for True."""
    return bool(getattr(torch.compiler, "_is_exporting_flag", False))


def recorder() -> str | None:
    """The name of what records the current call, if anything does."""
    if torch.jit.is_tracing():
        return "torch.jit.trace"
    if is_exporting():
        return "torch.export"
    if torch._C._len_torch_dispatch_stack() > 0:
        kinds = torch._C._TorchDispatchModeKey
        for kind, name in ((kinds.PROXY, "a tracer (make_fx)"), (kinds.FAKE, "FakeTensorMode"),
                           (kinds.FUNCTIONAL, "a functionalizing tracer")):
            if torch._C._get_dispatch_mode(kind) is not None:
                return name
    if torch._C._functorch.peek_interpreter_stack() is not None:
        return "a transform of torch.func (vmap, grad, jvp)"
    return None


def refuse_recording(who: str) -> None:
    """An error where the call would be recorded; other modes, such as a profiler's, pass."""
    found = recorder()
    if found is not None:
        raise RuntimeError(f"{who} is compiled code that {found} cannot record: call it with ordinary tensors outside of that; "
                           "torch.compile, which leaves it out of its graphs, and torch.autograd.grad work")
