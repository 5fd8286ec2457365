import FeedClientKit
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

/// Responses to a login with a password.
@Suite(.hangLimit)
struct LoginTests {
    @Test(arguments: [
        ("unsupported_grant_type", 400, "--token-stdin"), ("unauthorized_client", 401, "--token-stdin"),
        ("invalid_grant", 400, "Check both."),
    ])
    func refusedPasswordHasAHint(error: String, status: Int, hint: String) async throws {
        let server = MediaServer(special: [
            ("POST /api/v1/apps", { MediaServer.json(#"{"client_id":"a","client_secret":"b"}"#) }),
            ("POST /oauth/token", { MediaServer.error(HTTPResponse.Status(code: status), error) }),
        ])
        let thrown = try await server.run { client in
            await #expect(throws: FeedClientError.self) { try await client.login(username: "ada", password: "x") }
        }
        #expect(thrown?.code == .unauthorized && thrown?.hint?.contains(hint) == true, "\(String(describing: thrown))")
    }

    @Test func fullServerHasACodeOfItsOwn() async throws {
        let server = MediaServer(special: [
            ("POST /api/v1/statuses", { MediaServer.error(HTTPResponse.Status(code: 507), "The quota is used up") })
        ])
        let thrown = try await server.run { client in
            await #expect(throws: FeedClientError.self) { try await client.post(Draft(text: "x")) }
        }
        #expect(thrown?.code == .insufficientStorage && thrown?.status == 507)
        #expect(thrown?.hint?.contains("delete files") == true)
    }
}
