import HTTPTypes
import TestKit
import Testing

/// Paths with marks, which form one character with a slash or a digit before them.
@Suite(.hangLimit)
struct PathRulesTests {
    @Test(arguments: ["//\u{FE0F}evil.example/", "///\u{FE0F}evil.example/"])
    func redirectLeadsToThisServer(path: String) async throws {
        try await WebAPI.run { api in
            let response = try await api.send(.get, path)
            #expect(response.status == 308)
            let location = try #require(response.headers[.location])
            #expect(Array(location.utf8) == Array("/\u{FE0F}evil.example/".utf8))
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
