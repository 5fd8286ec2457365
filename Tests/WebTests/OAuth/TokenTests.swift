import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

/// `/oauth/token`: every grant and every error.
@Suite(.hangLimit)
struct TokenTests {
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = [
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    ]

    @Test func codeRequiresItsVerifier() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let code = try await person.code(AuthorizationTests.request(app.id, Self.challenge))
            for wrong in [nil, "", String(Self.verifier.reversed()), String(Self.verifier.dropLast())] {
                let fields = wrong.map { ["code_verifier": $0] } ?? [:]
                let response = try await person.token(AuthorizationTests.trade(app, code, fields))
                #expect(response.status == 400 && response.object["error"] as? String == "invalid_grant")
            }
            let right = AuthorizationTests.trade(app, code, ["code_verifier": Self.verifier])
            #expect(try await person.token(right).status == 200)
            // A verifier without a challenge suggests that the challenge was stripped (RFC 9700 §4.8).
            let plain = try await person.code(AuthorizationTests.request(app.id))
            let stray = AuthorizationTests.trade(app, plain, ["code_verifier": Self.verifier])
            #expect(try await person.token(stray).status == 400)
        }
    }

    @Test func codeIsBoundToItsApplicationRedirectURIAndLifetime() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application()
            let other = try await person.application()
            let code = try await person.code(AuthorizationTests.request(app.id))
            #expect(try await person.token(AuthorizationTests.trade(other, code)).status == 400)
            let elsewhere = AuthorizationTests.trade(app, code, ["redirect_uri": "https://app.test/other"])
            #expect(try await person.token(elsewhere).status == 400)
            #expect(try await person.token(AuthorizationTests.trade(app, "nonsense")).status == 400)
            test.store.clock.now += 600_000
            let late = try await person.token(AuthorizationTests.trade(app, code))
            #expect(late.object["error"] as? String == "invalid_grant")
        }
    }

    /// Another application that replays a code cannot revoke the first one's token.
    @Test func replayByAnotherApplicationRevokesNothing() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let other = try await person.application()
            let code = try await person.code(AuthorizationTests.request(app.id))
            let issued = try await person.token(AuthorizationTests.trade(app, code))
            let token = try #require(issued.object["access_token"] as? String)
            #expect(try await person.token(AuthorizationTests.trade(other, code)).status == 400)
            #expect(try await person.works(token))
        }
    }

    @Test func refreshTokensRotate() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application(scopes: "read write offline_access")
            let code = try await person.code(AuthorizationTests.request(app.id, ["scope": "read offline_access"]))
            var pair = try await person.token(AuthorizationTests.trade(app, code)).object
            let firstRefresh = try #require(pair["refresh_token"] as? String)
            func refresh(_ secret: String, by app: (id: String, secret: String)) -> [String: String] {
                [
                    "grant_type": "refresh_token", "client_id": app.id, "client_secret": app.secret,
                    "refresh_token": secret,
                ]
            }
            let other = try await person.application(scopes: "read offline_access")
            #expect(try await person.token(refresh(firstRefresh, by: other)).status == 400)
            for _ in 0..<30 {
                let old = try #require(pair["access_token"] as? String)
                let next = try await person.token(
                    refresh(try #require(pair["refresh_token"] as? String), by: app))
                #expect(next.status == 200 && next.object["scope"] as? String == "read offline_access")
                #expect(try await person.works(old) == false)
                pair = next.object
                test.store.clock.now += 1000
            }
            let last = try #require(pair["access_token"] as? String)
            #expect(try await person.works(last))
            // A replayed refresh token means that one of the two was stolen, so the token is revoked.
            let before = try #require(pair["refresh_token"] as? String)
            #expect(try await person.token(refresh(before, by: app)).status == 200)
            #expect(try await person.token(refresh(before, by: app)).status == 400)
            #expect(try await person.works(last) == false)
        }
    }

    @Test func invalidGrantsGetStandardErrorCodes() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let known = ["client_id": app.id, "client_secret": app.secret]
            let rows: [(fields: [String: String], status: Int, error: String)] = [
                ([:], 401, "invalid_client"),
                (["client_id": app.id], 401, "invalid_client"),
                (["client_id": app.id, "client_secret": "x", "grant_type": "password"], 401, "invalid_client"),
                (known, 400, "unsupported_grant_type"),
                (known.merging(["grant_type": "implicit"]) { $1 }, 400, "unsupported_grant_type"),
                (known.merging(["grant_type": "authorization_code"]) { $1 }, 400, "invalid_request"),
                (known.merging(["grant_type": "refresh_token"]) { $1 }, 400, "invalid_request"),
                (known.merging(["grant_type": "refresh_token", "refresh_token": "x"]) { $1 }, 400, "invalid_grant"),
                (known.merging(["grant_type": "password"]) { $1 }, 400, "invalid_request"),
                (
                    known.merging(["grant_type": "password", "username": "ada", "password": "no"]) { $1 }, 400,
                    "invalid_grant"
                ),
                (
                    known.merging(["grant_type": "password", "username": "nobody", "password": "no"]) { $1 }, 400,
                    "invalid_grant"
                ),
                (known.merging(["grant_type": "client_credentials", "scope": "follow"]) { $1 }, 400, "invalid_scope"),
                (
                    known.merging(["grant_type": "client_credentials", "scope": "nonsense"]) { $1 }, 400,
                    "invalid_scope"
                ),
            ]
            for row in rows {
                let response = try await person.token(row.fields)
                #expect(response.status == row.status && response.object["error"] as? String == row.error, "\(row)")
                #expect(response.object["error_description"] is String && response.location == nil)
            }
        }
    }

    @Test func refusedScopeIsNamed() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application(scopes: "read")
            let known = ["client_id": app.id, "client_secret": app.secret, "grant_type": "client_credentials"]
            let rows = [
                ("read follow push", "follow push. The application is registered for: read."),
                ("read reed", "reed. Known scopes: profile read"),
            ]
            for (scope, text) in rows {
                let response = try await person.token(known.merging(["scope": scope]) { $1 })
                let description = response.object["error_description"] as? String ?? ""
                #expect(description.contains("malformed: " + text), "\(description)")
            }
            let query = ["client_id": app.id, "response_type": "code", "scope": "read write"]
            #expect(try await person.open(query).text.contains("malformed: write. The application is registered"))
        }
    }

    @Test func passwordAndClientCredentialsGrantsAcceptAnyEncoding() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application(scopes: "read write follow push")
            let password = [
                "grant_type": "password", "username": "ADA", "password": "secret", "scope": "read write follow push",
            ]
            let known = ["client_id": app.id, "client_secret": app.secret]
            let byForm = try await person.token(password.merging(known) { $1 })
            #expect(byForm.status == 200 && byForm.object["scope"] as? String == "read write follow push")
            let basic = Data("\(app.id):\(app.secret)".utf8).base64EncodedString()
            let byBasic = try await person.send(
                .post, "/oauth/token", password, headers: [.authorization: "Basic " + basic])
            #expect(byBasic.status == 200)
            let json = try JSONSerialization.data(
                withJSONObject: known.merging(["grant_type": "client_credentials"]) { $1 })
            let byJSON: (Int, String) = try await person.client.execute(
                uri: "/oauth/token", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(bytes: json)
            ) { ($0.status.code, String(buffer: $0.body)) }
            #expect(byJSON.0 == 200 && byJSON.1.contains("\"scope\":\"read\""))
            // An application can read its own registration with either kind of token.
            let object = try #require(JSONSerialization.jsonObject(with: Data(byJSON.1.utf8)) as? [String: Any])
            for token in [object["access_token"], byForm.object["access_token"]] {
                let headers: HTTPFields = [.authorization: "Bearer \(token as? String ?? "")"]
                let shown = try await person.send(.get, "/api/v1/apps/verify_credentials", headers: headers)
                #expect(shown.status == 200 && shown.object["name"] as? String == "App")
                #expect(!shown.text.contains("client_secret") && shown.object["website"] is NSNull)
            }
            #expect(try await person.send(.get, "/api/v1/apps/verify_credentials").status == 401)
        }
    }

    @Test func onlyItsOwnApplicationMayRevokeAToken() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let other = try await person.application()
            let code = try await person.code(AuthorizationTests.request(app.id))
            let token = try #require(
                try await person.token(AuthorizationTests.trade(app, code)).object["access_token"] as? String)
            func revoke(_ app: (id: String, secret: String)) -> [String: String] {
                ["client_id": app.id, "client_secret": app.secret, "token": token]
            }
            #expect(try await person.send(.post, "/oauth/revoke", ["token": token]).status == 401)
            #expect(try await person.send(.post, "/oauth/revoke", revoke(other)).status == 403)
            #expect(try await person.works(token))
            let done = try await person.send(.post, "/oauth/revoke", revoke(app))
            #expect(done.status == 200 && done.text == "{}")
            #expect(try await person.works(token) == false)
            #expect(try await person.send(.post, "/oauth/revoke", revoke(app)).status == 200)
        }
    }
}
