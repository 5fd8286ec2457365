import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Paths with marks, which form one character with a slash or a digit before them.
@Suite(.hangLimit)
struct PathRuleTests {
    @Test(arguments: ["//\u{FE0F}evil.example/", "///\u{FE0F}evil.example/"])
    func redirectLeadsToThisServer(path: String) async throws {
        try await WebAPI.run { api in
            let response = try await api.send(.get, path)
            #expect(response.status == 308)
            let location = try #require(response.headers[.location])
            #expect(Array(location.utf8) == Array("/\u{FE0F}evil.example/".utf8))
        }
    }

    /// Clients join an address that ends in a slash with a path.
    @Test(arguments: ["//api/v1/", "/api//v1/", "///api///v1//"])
    func repeatedSlashesOfTheAPICollapse(root: String) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for text in ["one", "two"] {
                let posted = try await api.send(.post, root + "statuses", as: ada, .form("status=\(text)"))
                #expect(posted.status == 200, "\(posted.summary)")
            }
            let page = try await api.send(.get, root + "timelines/public?limit=1")
            #expect(page.json?.list?.count == 1, "\(page.summary)")
            #expect(page.headers[.link]?.contains("<http://feed.test/api/v1/timelines/public?limit=1&max_id=") == true)
            let missing = try await api.send(.get, root + "nothing", headers: ["Accept": "text/html"])
            #expect(missing.status == 404 && missing.json?["error"] != nil, "\(missing.summary)")
        }
    }

    @Test(arguments: [
        ("//oauth//token", "/oauth/token"), ("/api/v1//", "/api/v1/"), ("/api/v1", nil), ("//tags/a", nil),
        ("/tags//a", nil), ("//", nil), ("//apis/v1", nil), ("/api//\u{301}a", "/api/\u{301}a"), ("", nil),
    ])
    func onlyPathsOfTheAPICollapse(path: String, collapsed: String?) {
        #expect(RequestPath.collapsed(path).map { Array($0.utf8) } == collapsed.map { Array($0.utf8) })
    }

    @Test func atSignMayBeEncoded() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("a text", by: ada)
            for path in ["ada", "ada/", "ada/\(id)", "nobody", "ada/1"] {
                let plain = try await api.send(.get, "/@" + path)
                let encoded = try await api.send(.get, "/%40" + path)
                #expect(encoded.status == plain.status, "\(path)")
                #expect(encoded.headers[.contentType] == plain.headers[.contentType], "\(path)")
            }
            #expect(try await api.send(.get, "/%40ada").status == 200)
        }
    }

    @Test(arguments: ["/tags/a%00", "/tags/a%00\u{301}"])
    func nulIsRefused(path: String) async throws {
        try await WebAPI.run { api in
            let response = try await api.send(.get, path)
            #expect(response.status == 422, "\(response.summary)")
        }
    }

    @Test(arguments: [
        ("/" + String(repeating: "a", count: 2047), 404), ("/" + String(repeating: "a", count: 2048), 414),
        (String(repeating: "/a", count: 64), 404), (String(repeating: "/a", count: 65), 414),
        ("/api/v1/" + String(repeating: "a", count: 2048), 414), ("/?" + String(repeating: "a", count: 3000), 200),
    ])
    func longPathsAreRefused(path: String, status: Int) async throws {
        try await WebAPI.run { api in
            for method in [HTTPRequest.Method.get, .post, .options] where status != 200 || method == .get {
                let response = try await api.send(method, path)
                #expect(response.status == status, "\(method) \(path.prefix(20)): \(response.summary)")
            }
        }
    }

    @Test(arguments: [
        ("If-None-Match", 64, 200), ("If-None-Match", 65, 400), ("If-Match", 65, 400), ("If-Match", 64, 200),
    ])
    func longListsOfEntityTagsAreRefused(name: String, count: Int, status: Int) async throws {
        try await WebAPI.run { api in
            let value = Array(repeating: "\"a\"", count: count).joined(separator: ", ")
            let response = try await api.send(.get, "/", headers: [name: value])
            #expect(response.status == status, "\(response.summary)")
        }
    }
}
