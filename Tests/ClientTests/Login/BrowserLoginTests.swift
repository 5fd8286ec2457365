import FeedTestSupport
import Foundation
import HTTPTypes
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

/// A login in a browser: the address, the redirect to this machine, and the exchange of the code.
@Suite(.hangLimit)
struct BrowserLoginTests {
    private static let apps: (String, @Sendable () -> Response) = (
        "POST /api/v1/apps", { MediaServer.json(#"{"client_id":"a b","client_secret":"s"}"#) }
    )

    private static func query(of url: String) -> [String: String] {
        let items = URLComponents(string: url)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    /// RFC 7636, appendix B.
    @Test func challengeIsTheHashOfTheVerifier() {
        #expect(
            BrowserLogin.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func addressNamesProgramChallengeAndState() async throws {
        let server = MediaServer(special: [Self.apps, Self.apps])
        let (first, second) = try await server.run { client in
            (
                try await client.beginLogin(redirectURI: "http://127.0.0.1:1/callback"),
                try await client.beginLogin(redirectURI: nil)
            )
        }
        var query = Self.query(of: first.url)
        #expect(URLComponents(string: first.url)?.path == "/oauth/authorize")
        #expect(query["client_id"] == "a b" && query["response_type"] == "code")
        #expect(query["scope"] == "read write follow")
        #expect(query["redirect_uri"] == "http://127.0.0.1:1/callback" && query["state"] == first.state)
        #expect(query["code_challenge_method"] == "S256" && query["code_challenge"]?.utf8.count == 43)
        query = Self.query(of: second.url)
        #expect(query["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob" && query["state"] == nil)
        let bodies = server.bodies("POST /api/v1/apps")
        let loopback = "redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob%0Ahttp%3A%2F%2F127.0.0.1%3A1%2Fcallback&"
        #expect(bodies[0].contains(loopback) && bodies[1].contains("oob&"), "\(bodies)")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let uri: String
        var method = HTTPMethod.GET
        let verdict: LoginCallbackRequest.Verdict

        var testDescription: String { "\(method) \(uri)" }
    }

    static let rows: [Row] = [
        Row(uri: "/callback?code=c%20d&state=s", verdict: .ended(.code("c d"))),
        Row(uri: "/callback?state=s&code=c", verdict: .ended(.code("c"))),
        Row(uri: "/callback?error=access_denied&state=s", verdict: .ended(.refused("access_denied"))),
        Row(uri: "/callback?error=x&error_description=No%21&state=s", verdict: .ended(.refused("No!"))),
        Row(uri: "/callback?code=c", verdict: .notFound), Row(uri: "/callback?code=c&state=t", verdict: .notFound),
        Row(uri: "/callback?code=c&state=s&state=t", verdict: .notFound),
        Row(uri: "/callback?code=&state=s", verdict: .notFound), Row(uri: "/callback?state=s", verdict: .notFound),
        Row(uri: "/?code=c&state=s", verdict: .notFound), Row(uri: "/favicon.ico", verdict: .notFound),
        Row(uri: "", verdict: .notFound), Row(uri: "/callback?code=c&state=s", method: .POST, verdict: .notFound),
        Row(uri: "/callback?code=c&state=s", method: .HEAD, verdict: .notFound),
    ]

    @Test(arguments: rows) func onlyTheResponseToTheLoginCounts(row: Row) {
        let request = LoginCallbackRequest(method: row.method, uri: row.uri)
        #expect(request.verdict(path: "/callback", state: "s") == row.verdict)
        #expect(request.verdict(path: "/callback", state: nil) == .notFound)
    }

    /// Sends the response of the server, as the browser does. Before the login is expected, the page does not exist.
    private static func arrive(at callback: LoginCallback, _ query: String) async throws -> RawHTTP.Response {
        let port = try #require(URLComponents(string: callback.uri)?.port)
        var response = try await RawHTTP.send(port: port, "GET", "/callback?" + query)
        while response.status == 404 { response = try await RawHTTP.send(port: port, "GET", "/callback?" + query) }
        return response
    }

    @Test func browserReturnsToThisMachineOnce() async throws {
        let server = MediaServer(special: [
            Self.apps, ("POST /oauth/token", { MediaServer.json(#"{"access_token":"t"}"#) }),
        ])
        let credential = try await server.run { client in
            let callback = try await LoginCallback.listen()
            let login = try await client.beginLogin(redirectURI: callback.uri)
            async let code = callback.code(for: login)
            let port = try #require(URLComponents(string: callback.uri)?.port)
            let foreign = try await RawHTTP.send(port: port, "GET", "/callback?code=evil&state=guessed")
            #expect(foreign.status == 404)
            let page = try await Self.arrive(at: callback, "code=the+code%2F&state=\(login.state)")
            #expect(page.status == 200 && page.text.contains("You can close this page."))
            #expect(page.headers["cache-control"] == "no-store" && page.headers["referrer-policy"] == "no-referrer")
            return try await client.finish(login, code: try await code)
        }
        #expect(credential == .token("t"))
        let body = try #require(server.bodies("POST /oauth/token").first)
        let parts = [
            "grant_type=authorization_code", "client_secret=s", "code_verifier=", "redirect_uri=http%3A%2F%2F127",
        ]
        for part in parts { #expect(body.contains(part), "\(body)") }
    }

    @Test func declinedLoginIsReported() async throws {
        let server = MediaServer(special: [Self.apps])
        let thrown = try await server.run { client -> FeedClientError? in
            let callback = try await LoginCallback.listen()
            let login = try await client.beginLogin(redirectURI: callback.uri)
            async let code = callback.code(for: login)
            _ = try await Self.arrive(
                at: callback, "error=access_denied&error_description=Not%20me&state=\(login.state)")
            do {
                _ = try await code
                return nil
            } catch {
                return error as? FeedClientError
            }
        }
        #expect(thrown?.code == .unauthorized && thrown?.message == "The login was declined: Not me")
    }

    @Test func waitingForNobodyEnds() async throws {
        let server = MediaServer(special: [Self.apps])
        let thrown = try await server.run { client in
            let callback = try await LoginCallback.listen()
            let login = try await client.beginLogin(redirectURI: callback.uri)
            return await #expect(throws: FeedClientError.self) {
                try await callback.code(for: login, within: .milliseconds(1))
            }
        }
        #expect(thrown?.code == .unauthorized && thrown?.message.hasPrefix("Nobody has logged in") == true)
    }

    @Test func wrongCodeIsRefused() async throws {
        let server = MediaServer(special: [
            Self.apps, ("POST /oauth/token", { MediaServer.error(.badRequest, "invalid_grant") }),
        ])
        let thrown = try await server.run { client in
            let login = try await client.beginLogin(redirectURI: nil)
            return await #expect(throws: FeedClientError.self) { try await client.finish(login, code: "x") }
        }
        #expect(thrown?.code == .unauthorized && thrown?.message.contains("wrong or has expired") == true)
    }

    @Test(arguments: [
        (#"{"grant_types_supported":["authorization_code","client_credentials"]}"#, false),
        (#"{"grant_types_supported":["password"]}"#, true), (#"{"issuer":"x"}"#, true), ("<html>", true),
    ])
    func serverSaysWhetherItAcceptsPasswords(metadata: String, accepts: Bool) async throws {
        let path = "GET /.well-known/oauth-authorization-server"
        let server = MediaServer(special: [(path, { @Sendable in MediaServer.json(metadata) })])
        let answers = try await server.run { client in
            [try await client.acceptsPasswords(), try await client.acceptsPasswords()]
        }
        // The second time, there is no such page.
        #expect(answers == [accepts, true])
    }
}
