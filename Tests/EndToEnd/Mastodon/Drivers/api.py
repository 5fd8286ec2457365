"""Requests to the Mastodon API without a client's library. The accounts ada, bob, cleo and dora exist, with the
password `secret`."""

import json
import urllib.parse
import urllib.request

LIMIT = 300


class API:
    def __init__(self, address, token=None):
        self.address, self.token = address, token

    def __call__(self, method, path, **values):
        """The JSON of the response."""
        body = urllib.parse.urlencode(values).encode() or None
        request = urllib.request.Request(self.address + path, data=body, method=method)
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        with urllib.request.urlopen(request, timeout=LIMIT) as response:
            return json.load(response)

    def log_in(self, name):
        """The same server as an account."""
        scopes = "read write follow"
        keys = self("POST", "/api/v1/apps", client_name="feed tests", redirect_uris="urn:ietf:wg:oauth:2.0:oob",
                    scopes=scopes)
        token = self("POST", "/oauth/token", grant_type="password", username=name, password="secretsecret", scope=scopes,
                     client_id=keys["client_id"], client_secret=keys["client_secret"])
        return API(self.address, token["access_token"])

    def post(self, text, **values):
        """Posts a status, and returns its id."""
        return self("POST", "/api/v1/statuses", status=text, **values)["id"]
