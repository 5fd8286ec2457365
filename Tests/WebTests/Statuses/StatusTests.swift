import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@Suite(.hangLimit)
struct StatusTests {
    static let bodies: [(type: String, body: String)] = [
        (
            "application/x-www-form-urlencoded",
            "status=hi+%E4%BD%A0%E5%A5%BD&spoiler_text=cw&visibility=unlisted&language=zh"
        ),
        (
            "application/json",
            #"{"status":"hi 你好","spoiler_text":"cw","visibility":"unlisted","language":"zh","sensitive":false}"#
        ),
        (
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name=\"status\"\r\n\r\nhi 你好\r\n--B\r\n"
                + "Content-Disposition: form-data; name=\"spoiler_text\"\r\n\r\ncw\r\n--B\r\n"
                + "Content-Disposition: form-data; name=\"visibility\"\r\n\r\nunlisted\r\n--B\r\n"
                + "Content-Disposition: form-data; name=\"language\"\r\n\r\nzh\r\n--B--\r\n"
        ),
    ]

    @Test func statusIsPostedInAnyEncoding() async throws {
        let test = try TestServices()
        let (_, token) = try await test.account("ada")
        let client = TestClient(test.services)
        for (type, body) in Self.bodies {
            let headers: HTTPFields = [.authorization: "Bearer " + token, .contentType: type]
            let posted = try await client.execute(
                uri: "/api/v1/statuses", method: .post, headers: headers, body: ByteBuffer(string: body)
            ) { try JSONDecoder().decode(Entity.Status.self, from: Data($0.body.readableBytesView)) }
            #expect(
                posted.content == "<p>hi 你好</p>" && posted.spoiler_text == "cw" && posted.visibility == "unlisted")
            #expect(
                posted.language == "zh" && posted.application?.name == "test app"
                    && posted.account.username == "ada")
            let uri = "/api/v1/statuses/\(posted.id)"
            try await client.execute(uri: uri, method: .get, headers: headers) { response in
                let shown = try JSONDecoder().decode(
                    Entity.Status.self, from: Data(response.body.readableBytesView))
                #expect(shown == posted)
            }
        }
    }

    static let refused: [Endpoint] = [
        Endpoint(path: "", headers: EndpointTests.form, body: "", status: 422, has: ["Validation failed"]),
        Endpoint(path: "", headers: EndpointTests.form, body: "status=", status: 422),
        Endpoint(
            path: "", headers: EndpointTests.form, body: "status=" + String(repeating: "x", count: 501), status: 422,
            has: ["500"]),
        Endpoint(
            path: "", headers: EndpointTests.form, body: "status=" + String(repeating: "x", count: 30_000), status: 422),
        Endpoint(
            path: "", headers: EndpointTests.form, body: "status=" + String(repeating: "x", count: 300_000), status: 413
        ),
        Endpoint(path: "", headers: EndpointTests.form, body: "status=x&visibility=secret", status: 422),
        Endpoint(path: "", headers: EndpointTests.form, body: "status=x&in_reply_to_id=1", status: 404),
        Endpoint(path: "", headers: EndpointTests.form, body: "status=x&in_reply_to_id=abc", status: 400),
        Endpoint(path: "", headers: ["Content-Type": "application/json"], body: "{", status: 400),
        Endpoint(path: "", headers: ["Content-Type": "application/json"], body: "[1]", status: 400),
        Endpoint(
            path: "", headers: ["Content-Type": "application/json"], body: String(repeating: "[", count: 10_000),
            status: 400),
        Endpoint(
            path: "", headers: ["Content-Type": "multipart/form-data; boundary=B"], body: "--B\r\nbroken", status: 400),
        Endpoint(path: "", headers: ["Content-Type": "multipart/form-data"], body: "x", status: 400),
    ]

    /// As in Mastodon.
    @Test func warningWithoutATextIsTheText() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            func check(_ status: JSONValue, _ text: String) {
                #expect(status["content"]?.text == "<p>\(text)</p>" && status["spoiler_text"]?.text?.isEmpty == true)
                #expect(status["sensitive"] == .flag(true))
            }
            let posted = try await api.must(
                .post, "/api/v1/statuses", as: ada, .form("status=+%0A&spoiler_text=first"))
            check(posted, "first")
            let path = "/api/v1/statuses/" + (posted["id"]?.text ?? "")
            check(try await api.must(.put, path, as: ada, .form("spoiler_text=second")), "second")
            let both = try await api.must(.put, path, as: ada, .form("status=a&spoiler_text=b"))
            #expect(both["content"]?.text == "<p>a</p>" && both["spoiler_text"]?.text == "b")
            let blank = try await api.send(.post, "/api/v1/statuses", as: ada, .form("status=&spoiler_text=+"))
            #expect(blank.status == 422, "\(blank.summary)")
        }
    }

    /// As in Mastodon: an edit that sends no sensitivity is as sensitive as its warning says.
    @Test func editWithoutAWarningIsNotSensitive() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for first in ["spoiler_text=cw", "spoiler_text=cw&sensitive=true", "sensitive=true"] {
                let id = try await api.post("text", by: ada, more: "&" + first)
                for (sent, sensitive) in [
                    ("", false), ("&spoiler_text=", false), ("&spoiler_text=new", true), ("&sensitive=true", true),
                    ("&spoiler_text=new&sensitive=false", true), ("&spoiler_text=&sensitive=false", false),
                ] {
                    let edited = try await api.must(
                        .put, "/api/v1/statuses/\(id)", as: ada, .form("status=text" + sent))
                    #expect(edited["sensitive"]?.flag == sensitive, "\(first), then \(sent)")
                }
            }
            _ = try await api.must(
                .patch, "/api/v1/accounts/update_credentials", as: ada, .form("source[sensitive]=true"))
            let id = try await api.post("text", by: ada)
            #expect(try await api.send(.get, "/api/v1/statuses/\(id)").json?["sensitive"]?.flag == true)
            let edited = try await api.must(.put, "/api/v1/statuses/\(id)", as: ada, .form("status=other"))
            #expect(edited["sensitive"]?.flag == false)
        }
    }

    static let languages: [(sent: String, stored: String?)] = [
        ("de", "de"), ("zh-Hant", "zh-Hant"), ("pt-BR", "pt-BR"), ("", "en"), ("klingon_xx", "en"), ("klingon", "en"),
        ("e", "en"), ("en_US", "en"), ("en-", "en"), ("de-" + String(repeating: "a", count: 9), "en"), ("%22", "en"),
    ]

    /// As in Mastodon.
    @Test func languageThatIsNoneIsIgnored() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.must(
                .patch, "/api/v1/accounts/update_credentials", as: ada, .form("source[language]=en"))
            for (sent, stored) in Self.languages {
                let posted = try await api.must(
                    .post, "/api/v1/statuses", as: ada, .form("status=x&language=" + sent))
                #expect(posted["language"]?.text == stored, "\(sent)")
            }
            let id = try await api.post("hej", by: ada, more: "&language=sv")
            let edited = try await api.must(
                .put, "/api/v1/statuses/\(id)", as: ada, .form("status=hej!&language=klingon_xx"))
            #expect(edited["language"]?.text == "sv")
        }
    }

    @Test func invalidStatusIsRejectedAndNotStored() async throws {
        let test = try TestServices()
        let (_, token) = try await test.account("ada")
        let client = TestClient(test.services)
        for endpoint in Self.refused {
            var request = endpoint
            request.method = .post
            request.path = "/api/v1/statuses"
            request.headers["Authorization"] = "Bearer " + token
            try await EndpointTests.check(request, client)
        }
        #expect(try await test.store.accounts.counts().statuses == 0)
    }

    @Test func tokenWithoutTheScopeIsRejected() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let token = try await test.services.login.tokens.create(
            for: ada.id, scopes: try ScopeSet(parsing: "read"), application: ClientApplication(name: ""))
        let client = TestClient(test.services)
        let request = Endpoint(
            method: .post, path: "/api/v1/statuses", headers: ["Authorization": "Bearer " + token],
            body: "status=x",
            status: 403, has: ["outside the authorized scopes"])
        try await EndpointTests.check(request, client)
        let read = Endpoint(
            path: Paths.verifyCredentials, headers: ["Authorization": "Bearer " + token], status: 200,
            has: ["\"source\"", "\"role\""])
        try await EndpointTests.check(read, client)
    }

    /// 100 statuses in both directions, following the server's links: no gap, no repetition.
    @Test func pagesLinkToEachOther() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        for index in 0..<100 { try await test.store.post("post \(index)", by: ada) }
        let client = TestClient(test.services)
        let down = try await Self.walk(client, from: "/api/v1/timelines/public?limit=7&local=true") { $0.next }
        #expect(down.map(\.content) == (0..<100).reversed().map { "<p>post \($0)</p>" })
        let last = try #require(down.last)
        let up = try await Self.walk(client, from: "/api/v1/timelines/public?limit=7&min_id=\(last.id)") {
            $0.previous
        }
        #expect(Set(up.map(\.id)) == Set(down.dropLast().map(\.id)) && up.count == 99)
    }

    private static func walk(
        _ client: TestClient, from start: String, _ follow: (LinkHeader) -> String?
    ) async throws -> [Entity.Status] {
        var all: [Entity.Status] = []
        var address: String? = start
        while let current = address {
            let (statuses, links) = try await client.execute(uri: current, method: .get) { response in
                let name = try #require(HTTPField.Name("Link"))
                return (
                    try JSONDecoder().decode([Entity.Status].self, from: Data(response.body.readableBytesView)),
                    LinkHeader(response.headers[name] ?? "")
                )
            }
            all += statuses
            address = statuses.isEmpty ? nil : follow(links)?.replacing("http://feed.test", with: "")
            if let address { #expect(address.contains("limit=7")) }
        }
        return all
    }
}
