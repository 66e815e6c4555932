"""A server on 127.0.0.1 with an authority of its own, which can misbehave on request."""
import http.server
import pathlib
import re
import ssl
import subprocess
import threading

CERTIFICATES = """
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = keyCertSign
[server]
basicConstraints = CA:FALSE
subjectAltName = IP:127.0.0.1
"""


def make_certificates(folder):
    """authority.pem, and server.pem for 127.0.0.1 (with its key) that it signs."""
    folder = pathlib.Path(folder)
    (folder / "openssl.cnf").write_text(CERTIFICATES)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-config", "openssl.cnf"]
    openssl("req", "-x509", *key, "-extensions", "authority", "-subj", "/CN=test authority", "-days", "2",
            "-keyout", "authority.key", "-out", "authority.pem")
    openssl("req", *key, "-subj", "/CN=test server", "-keyout", "server.key", "-out", "server.csr")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", "openssl.cnf", "-extensions", "server", "-out", "server.crt")
    (folder / "server.pem").write_text((folder / "server.crt").read_text() + (folder / "server.key").read_text())
    return folder / "authority.pem", folder / "server.pem"


class HttpsServer:
    """`files` by name. Each request is recorded in `requests` as (name, first byte)."""

    def __init__(self, certificate):
        self.files = {}
        self.redirects = {}     # name -> address
        self.ranges = True      # does it know Range?
        self.cut_after = None   # bytes after which it breaks a connection …
        self.cuts = 0           # … so many times
        self.pause_after = None  # bytes after which it waits for `go`, once
        self.paused, self.go = threading.Event(), threading.Event()
        self.drip = None        # seconds between single bytes
        self.requests = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # clients that do not trust it hang up
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        self.address = f"https://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def close(self):
        self.go.set()
        self.server.shutdown()
        self.server.server_close()

    def handler(outer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, status, length, **headers):
                self.send_response(status)
                for name, value in {"Content-Length": length, **headers}.items():
                    self.send_header(name.replace("_", "-"), str(value))
                self.end_headers()

            def do_GET(self):
                name = self.path.rsplit("/", 1)[-1]
                asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
                first = int(asked[1]) if asked else 0
                outer.requests.append((name, first))
                if name in outer.redirects:
                    return self.answer(302, 0, Location=outer.redirects[name])
                if name not in outer.files:
                    return self.answer(404, 0)
                content = outer.files[name]
                if not outer.ranges:
                    first = 0
                if first and first >= len(content):
                    return self.answer(416, 0, Content_Range=f"bytes */{len(content)}")
                if first:
                    self.answer(206, len(content) - first,
                                Content_Range=f"bytes {first}-{len(content) - 1}/{len(content)}")
                else:
                    self.answer(200, len(content))
                self.send(content[first:])

            def send(self, body):
                if outer.drip is not None:
                    for byte in body:
                        self.wfile.write(bytes([byte]))
                        if outer.go.wait(outer.drip):
                            return
                if outer.cuts and len(body) > outer.cut_after:
                    outer.cuts -= 1
                    self.wfile.write(body[:outer.cut_after])
                    self.wfile.flush()
                    return self.connection.close()  # without a farewell
                if outer.pause_after is not None and len(body) > outer.pause_after:
                    begin, outer.pause_after = outer.pause_after, None
                    self.wfile.write(body[:begin])
                    self.wfile.flush()
                    outer.paused.set()
                    outer.go.wait(60)
                    body = body[begin:]
                self.wfile.write(body)

        return Handler
