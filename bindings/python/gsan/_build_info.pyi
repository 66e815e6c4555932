"""What the compiled part was built with. Written by CMake."""
version: str
torch_version: str
compiler: str
