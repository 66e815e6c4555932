#include "gsan/data/fetch/download.h"

#include "gsan/core/check.h"

#ifdef GSAN_HAVE_CURL

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>

#include <curl/curl.h>

namespace gsan {
namespace {

[[noreturn]] void cannot_fetch(const std::string& url, const std::string& why) {
  fail(Fault::io, "cannot fetch ", url, ": ", why);
}

/// Of "Content-Range: bytes FIRST-LAST/TOTAL" or "bytes */TOTAL".
struct ContentRange {
  std::optional<std::uint64_t> first, total;
};

std::optional<std::uint64_t> number_at_start(std::string_view text) {
  std::uint64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) return {};
  return number;
}

// curl's header lines end with \r\n; names may be in any case.
std::optional<ContentRange> content_range(std::string_view line) {
  constexpr std::string_view name = "content-range:";
  if (line.size() < name.size()) return {};
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  if (!std::equal(name.begin(), name.end(), line.begin(), [&](char b, char a) { return same(a, b); }))
    return {};
  const std::size_t unit = line.find("bytes ");
  const std::size_t slash = line.find('/');
  if (unit == std::string_view::npos || slash == std::string_view::npos) return {};
  return ContentRange{number_at_start(line.substr(unit + 6)), number_at_start(line.substr(slash + 1))};
}

/// One connection: what the callbacks of curl share.
class Transfer {
 public:
  Transfer(const std::string& url, PartFile& part, std::uint64_t max_bytes, const DownloadOptions& options)
      : url_(url), part_(part), max_bytes_(max_bytes), options_(options), curl_(curl_easy_init()) {
    if (!curl_) fail(Fault::io, "libcurl cannot be initialised");
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_ERRORBUFFER, message_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "gsan");
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, static_cast<long>(options.max_redirects));
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTPS));
    set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTPS));
#endif
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.ca_file.empty()) {  // these authorities and no others
      set(CURLOPT_CAINFO, options.ca_file.c_str());
      set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    }
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_timeout.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.least_speed));
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
    set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_NOPROGRESS, options.progress ? 0L : 1L);
  }

  /// From the end of the part file on. Its own failures (disk, limit) are thrown; those of the network
  /// returned.
  CURLcode perform() {
    start_ = part_.size();
    begun_ = false;
    range_.reset();
    message_.front() = '\0';
    // CURLOPT_RANGE and not RESUME_FROM: an answer of 200 is then no error, and starts over.
    const std::string range = std::to_string(start_) + "-";
    set(CURLOPT_RANGE, start_ > 0 ? range.c_str() : static_cast<const char*>(nullptr));
    const CURLcode code = curl_easy_perform(curl_.get());
    if (failure_) std::rethrow_exception(failure_);
    if (code == CURLE_OK && !begun_) begin();  // an answer without a body
    return code;
  }

  std::uint64_t start() const { return start_; }
  /// Whether the connection as a whole was slower than what is waited for: another one would be, too.
  bool was_slow() const {
    curl_off_t speed = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_SPEED_DOWNLOAD_T, &speed);
    return speed < options_.least_speed;
  }
  /// After an answer of 416: is there nothing left to send?
  bool is_complete() const { return range_ && range_->total == part_.size(); }

  void start_over() {
    part_.clear();
    started_over_ = true;
  }
  bool has_started_over() const { return started_over_; }

  long status() const {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  std::string reason(CURLcode code) const {
    const std::string text = message_.front() ? message_.data() : curl_easy_strerror(code);
    switch (code) {
      case CURLE_HTTP_RETURNED_ERROR:
        return concat("the server answers ", status());
      case CURLE_PEER_FAILED_VERIFICATION:
        return concat("the server is not trusted: ", text,
                      "; --ca-file or GSAN_CA_FILE may name a file of authorities");
      case CURLE_OPERATION_TIMEDOUT:
        return concat("the server brought less than ", options_.least_speed, " bytes a second for ",
                      options_.stall_timeout.count(), " s; ", part_.size(),
                      " bytes are kept, try again later (", text, ")");
      case CURLE_UNSUPPORTED_PROTOCOL:
        return concat("it redirects to an address that is not https: ", text);
      default:
        return text;
    }
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(curl_.get(), option, value);
    if (code != CURLE_OK) cannot_fetch(url_, curl_easy_strerror(code));
  }

  // At the first byte of the body that counts (redirects are over).
  void begin() {
    begun_ = true;
    const bool continues = status() == 206 && range_ && range_->first == start_;
    if (continues || part_.size() == 0) return;
    start_over();
    if (status() == 206) cannot_fetch(url_, "the server sent a different range than requested; try again");
  }

  void take(std::string_view bytes) {
    if (!begun_) begin();
    if (bytes.size() > max_bytes_ - std::min(max_bytes_, part_.size()))
      fail(Fault::format, url_, " sends more than the ", max_bytes_, " bytes that it should have");
    part_.append(bytes);
  }

  static std::size_t on_header(char* line, std::size_t, std::size_t length, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::string_view text(line, length);
    if (text.starts_with("HTTP/")) transfer.range_.reset();
    if (const auto range = content_range(text)) transfer.range_ = range;
    return length;
  }

  static std::size_t on_body(char* bytes, std::size_t, std::size_t length, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    try {
      transfer.take({bytes, length});
      return length;
    } catch (...) {  // must not pass through C
      transfer.failure_ = std::current_exception();
      return length == 0 ? 1 : 0;
    }
  }

  static int on_progress(void* self, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t) {
    const auto& transfer = *static_cast<const Transfer*>(self);
    if (!transfer.begun_) return 0;
    const std::uint64_t before = transfer.part_.size() - std::min<std::uint64_t>(transfer.part_.size(), now);
    transfer.options_.progress(transfer.part_.size(), total > 0 ? before + total : 0);
    return 0;
  }

  struct Cleanup {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  };

  const std::string& url_;
  PartFile& part_;
  std::uint64_t max_bytes_;
  const DownloadOptions& options_;
  std::unique_ptr<CURL, Cleanup> curl_;
  std::array<char, CURL_ERROR_SIZE> message_{};
  std::uint64_t start_ = 0;  // bytes that were there before the connection
  bool begun_ = false, started_over_ = false;
  std::optional<ContentRange> range_;
  std::exception_ptr failure_;
};

bool is_broken_connection(CURLcode code) {
  return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
         code == CURLE_OPERATION_TIMEDOUT || code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM;
}

}  // namespace

bool can_download() { return true; }

bool download(const std::string& url, PartFile& part, std::uint64_t max_bytes,
              const DownloadOptions& options) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (initialised != CURLE_OK) fail(Fault::io, "libcurl: ", curl_easy_strerror(initialised));
  GSAN_CHECK(url.starts_with("https://"), "an address must begin with https://, got '", url, "'");
  if (part.size() > max_bytes) part.clear();
  const bool old_bytes = part.size() > 0;
  Transfer transfer(url, part, max_bytes, options);
  for (int attempt = 1;; ++attempt) {
    const CURLcode code = transfer.perform();
    if (code == CURLE_OK) break;
    if (code == CURLE_HTTP_RETURNED_ERROR && transfer.status() == 416 && part.size() > 0) {
      if (transfer.is_complete()) break;
      transfer.start_over();  // the part is of another file, perhaps of an older version
    } else if (!is_broken_connection(code) || part.size() <= transfer.start() ||
               (code == CURLE_OPERATION_TIMEDOUT && transfer.was_slow())) {
      cannot_fetch(url, transfer.reason(code));
    }
    if (attempt == options.max_attempts)
      cannot_fetch(
          url, concat("the connection broke ", attempt, " times, the last time: ", transfer.reason(code)));
  }
  part.flush();
  return old_bytes && !transfer.has_started_over();
}

}  // namespace gsan

#else  // without libcurl

namespace gsan {

bool can_download() { return false; }

bool download(const std::string& url, PartFile&, std::uint64_t, const DownloadOptions&) {
  fail(Fault::io, "cannot fetch ", url, ": this gsan was built without libcurl");
}

}  // namespace gsan

#endif
