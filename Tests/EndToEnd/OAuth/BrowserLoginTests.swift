import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Logging in with a browser, over real sockets.
@Suite(.hangLimit)
struct BrowserLoginTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private static func post(
        _ server: ServerProcess, _ path: String, _ fields: [String: String], _ headers: String...
    ) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: server.port, "POST", path, headers: [form, "Sec-Fetch-Site: same-origin"] + headers,
            body: Data(HTMLForm.encoded(fields).utf8))
    }

    private static func object(_ response: RawHTTP.Response) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: response.body)) as? [String: Any] ?? [:]
    }

    @Test func loginPageLeadsToAToken() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let callback = "http://localhost/cb"
        let app = Self.object(
            try await Self.post(
                server, "/api/v1/apps",
                ["client_name": "Wire & Co", "redirect_uris": callback, "scopes": "read write"]))
        let id = try #require(app["client_id"] as? String)
        let secret = try #require(app["client_secret"] as? String)
        // A native application listens on a free local port (RFC 8252 §7.3).
        let asked = [
            "response_type": "code", "client_id": id, "redirect_uri": "http://localhost:50123/cb",
            "scope": "read write", "state": "s t", "force_login": "False", "lang": "None",
        ]
        let page = try await RawHTTP.send(
            port: server.port, "GET", "/oauth/authorize/?" + HTMLForm.encoded(asked))
        #expect(page.status == 200 && page.text.contains("Wire &amp; Co") && page.text.contains("localhost:50123"))
        let cookie = try #require(page.headers["set-cookie"]).prefix { $0 != ";" }
        var fields = HTMLForm.hidden(in: page.text)
        fields.merge(["username": "ada", "password": "secretsecret", "decision": "allow"]) { $1 }
        #expect(try await Self.post(server, "/oauth/authorize", fields).status == 403)
        let sent = try await Self.post(server, "/oauth/authorize", fields, "Cookie: \(cookie)")
        let location = try #require(sent.headers["location"])
        #expect(sent.status == 303 && location.hasPrefix("http://localhost:50123/cb?code="))
        let values = HTMLForm.query(of: location)
        #expect(values["state"] == "s t")
        let code = try #require(values["code"])
        let trade = [
            "grant_type": "authorization_code", "client_id": id, "client_secret": secret, "code": code,
            "redirect_uri": "http://localhost:50123/cb",
        ]
        let issued = Self.object(try await Self.post(server, "/oauth/token", trade))
        let token = try #require(issued["access_token"] as? String)
        let path = "/api/v1/accounts/verify_credentials"
        let bearer = "Authorization: Bearer \(token)"
        #expect(try await RawHTTP.send(port: server.port, "GET", path, headers: [bearer]).status == 200)
        #expect(try await Self.post(server, "/oauth/token", trade).status == 400)
        #expect(try await RawHTTP.send(port: server.port, "GET", path, headers: [bearer]).status == 401)
        try await server.stop()
        for text in ["secret", code, token, secret] { #expect(!server.log.contains(text)) }
    }

    /// Codes, refresh tokens and an open page survive a restart.
    @Test func codeSurvivesARestart() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let app = Self.object(
            try await Self.post(server, "/api/v1/apps", ["client_name": "x", "scopes": "read offline_access"]))
        let id = try #require(app["client_id"] as? String)
        let secret = try #require(app["client_secret"] as? String)
        let address = "urn:ietf:wg:oauth:2.0:oob"
        let query = HTMLForm.encoded([
            "response_type": "code", "client_id": id, "redirect_uri": address, "scope": "read offline_access",
        ])
        let page = try await RawHTTP.send(port: server.port, "GET", "/oauth/authorize?" + query)
        let cookie = try #require(page.headers["set-cookie"]).prefix { $0 != ";" }
        var fields = HTMLForm.hidden(in: page.text)
        fields.merge(["username": "ada", "password": "secretsecret", "decision": "allow"]) { $1 }
        let shown = try await Self.post(server, "/oauth/authorize", fields, "Cookie: \(cookie)")
        let code = HTMLForm.title(of: shown.text)
        try await server.stop(SIGKILL)
        let next = try await ServerProcess.start(folder: server.folder)
        let again = try await Self.post(next, "/oauth/authorize", fields, "Cookie: \(cookie)")
        #expect(again.status == 200 && ![code, ""].contains(HTMLForm.title(of: again.text)), "\(again.text)")
        let other = cookie.prefix { $0 != "=" } + "=" + String(repeating: "A", count: 43)
        let forged = try await Self.post(next, "/oauth/authorize", fields, "Cookie: \(other)")
        #expect(forged.status == 403)
        let known = ["client_id": id, "client_secret": secret]
        let issued = Self.object(
            try await Self.post(
                next, "/oauth/token",
                known.merging(["grant_type": "authorization_code", "code": code, "redirect_uri": address]) { $1 }))
        let refresh = try #require(issued["refresh_token"] as? String)
        let renewed = Self.object(
            try await Self.post(
                next, "/oauth/token",
                known.merging(["grant_type": "refresh_token", "refresh_token": refresh]) { $1 }))
        #expect(renewed["access_token"] is String && renewed["refresh_token"] as? String != refresh)
    }
}
