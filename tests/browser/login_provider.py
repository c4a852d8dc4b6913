"""A small OpenID Connect provider on this machine, which logs everybody in as one person at once."""

from __future__ import annotations

import base64
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "workbench", "only-for-tests"


@dataclass
class Provider:
    """The provider; `claims` is what it says of the person who logs in. Its nonces by code show that a login went through here."""

    claims: dict[str, Any]
    nonces: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Provider:
        from joserfc.jwk import RSAKey

        self.key = RSAKey.generate_key(2048, {"kid": "test"})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, name="login-provider", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def secrets(self, redirect_uri: str) -> str:
        """Return what secrets.toml has to say."""
        values = {
            "redirect_uri": redirect_uri,
            "cookie_secret": "a secret that is long enough for a test",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.url}/.well-known/openid-configuration",
        }
        return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

    def answer(self, path: str, form: dict[str, list[str]]) -> tuple[int, dict[str, Any] | str]:
        """Return status and JSON, or where to go on."""
        asked = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path == "/authorize":
            code = f"code{len(self.nonces)}"
            self.nonces[code] = query.get("nonce", "")
            return 302, f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
        if asked.path == "/token":
            return 200, {"access_token": "x", "token_type": "Bearer", "expires_in": 3600, "id_token": self._token(form["code"][0])}
        if asked.path == "/keys":
            return 200, {"keys": [self.key.as_dict(private=False)]}
        return 200, {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _token(self, code: str) -> str:
        from joserfc import jwt

        now = int(time.time())
        about = {"iss": self.url, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 3600, "nonce": self.nonces[code]}
        return jwt.encode({"alg": "RS256", "kid": "test"}, about | self.claims, self.key)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._say(*provider.answer(self.path, {}))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                given = self.headers.get("Authorization", "")
                known = f"Basic {base64.b64encode(f'{CLIENT}:{SECRET}'.encode()).decode()}"
                form = parse_qs(body)
                if given != known and form.get("client_secret") != [SECRET]:
                    return self._say(401, {"error": "invalid_client"})
                return self._say(*provider.answer(self.path, form))

            def log_message(self, *_: object) -> None:
                pass

            def _say(self, status: int, what: dict[str, Any] | str) -> None:
                self.send_response(status)
                if isinstance(what, str):
                    self.send_header("Location", what)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                if not isinstance(what, str):
                    self.wfile.write(json.dumps(what).encode())

        return Handler
