#include "gsan/core/isolated.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace {

constexpr char result_tag = 'r';  // an error is tagged by '0' + its fault

// Closes a descriptor at the end of a scope.
struct Descriptor {
  int number = -1;
  ~Descriptor() { close(); }
  void close() {
    if (number >= 0) ::close(number);
    number = -1;
  }
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string read_all(int descriptor) {
  std::string bytes;
  char piece[1 << 16];
  for (;;) {
    const ssize_t count = ::read(descriptor, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(piece, static_cast<std::size_t>(count));
  }
}

// A crash ends the child without a core file, without the parent's handlers and without a word on the
// terminal.
void prepare_child(int seconds) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto most = static_cast<rlim_t>(seconds);
  const rlimit processor{most, most + 1};
  ::setrlimit(RLIMIT_CPU, &processor);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO), ::dup2(nowhere, STDERR_FILENO);
}

std::string answer_of(const std::function<std::string()>& work) {
  try {
    return result_tag + work();
  } catch (const Error& error) {
    return static_cast<char>('0' + static_cast<int>(error.fault())) + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return static_cast<char>('0' + static_cast<int>(Fault::resource)) +
           std::string("the memory does not suffice");
  } catch (const std::exception& error) {
    return static_cast<char>('0' + static_cast<int>(Fault::format)) + std::string(error.what());
  }
}

std::string ending(int status) {
  if (!WIFSIGNALED(status)) return concat("ended with code ", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return "took too long, or too much memory";
  return concat("crashed (signal ", WTERMSIG(status), ")");
}

}  // namespace

std::string run_isolated(std::string_view who, int seconds, const std::function<std::string()>& work) {
  int ends[2];
  if (fails_at("isolated.pipe") || ::pipe2(ends, O_CLOEXEC) != 0)
    fail(Fault::resource, who, ": no pipe to a child process: ", std::generic_category().message(errno));
  Descriptor from{ends[0]}, into{ends[1]};
  const pid_t child = fails_at("isolated.fork") ? -1 : ::fork();
  if (child < 0)
    fail(Fault::resource, who, ": cannot start a child process: ", std::generic_category().message(errno));
  if (child == 0) {
    prepare_child(seconds);
    ::_exit(write_all(into.number, answer_of(work)) ? 0 : 1);
  }
  into.close();
  const std::string answer = read_all(from.number);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0 || answer.empty())
    fail(Fault::format, who, ": reading it ", ending(status), "; the file is damaged");
  if (answer[0] != result_tag) throw Error(static_cast<Fault>(answer[0] - '0'), answer.substr(1));
  return answer.substr(1);
}

}  // namespace gsan
