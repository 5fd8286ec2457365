import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The endpoint for each path.
@Suite(.hangLimit)
struct RouterTests {
    private static func routes(_ paths: [(HTTPRequest.Method, String)]) -> Router {
        Router(
            paths.map { method, path in
                FeedWeb.Endpoint(
                    method: method, path: RoutePattern(path), access: .open,
                    action: .task { _, _ in Response(status: .noContent) })
            })
    }

    private static let routes = routes([
        (.get, "/"), (.get, "/a/:id"), (.put, "/a/:id"), (.get, "/a/first"), (.get, "/a/:id/b"), (.get, "/a/first/c"),
        (.get, "/@{name}"), (.get, "/%40{name}"), (.get, "/@{name}/:id"), (.get, "/{name}.png"), (.get, "/i/{n}.png"),
        (.get, "/i/x{n}.png"), (.get, "/i/:any"), (.post, "/files/:name"), (.head, "/files/:name"),
    ])

    /// The path, the pattern that it matches, and the parameters.
    static let rows: [(path: String, pattern: String?, id: String?, name: String?)] = [
        ("/", "/", nil, nil), ("", "/", nil, nil), ("/a/7", "/a/{id}", "7", nil),
        // Literal segments take precedence, but not if the rest of the path does not match.
        ("/a/first", "/a/first", nil, nil), ("/a/first/c", "/a/first/c", nil, nil),
        ("/a/first/b", "/a/{id}/b", "first", nil),
        ("/a/7/c", nil, nil, nil), ("/a", nil, nil, nil), ("/A/7", nil, nil, nil), ("/a/7/b/", "/a/{id}/b", "7", nil),
        // Repeated slashes, and one at the end, are ignored.
        ("//a///7/", "/a/{id}", "7", nil), ("///", "/", nil, nil),
        ("/@ada", "/@{name}", nil, "ada"), ("/%40ada", "/%40{name}", nil, "ada"),
        ("/@ada/5", "/@{name}/{id}", "5", "ada"),
        ("/@", "/@{name}", nil, ""), ("/@ada.png", "/{name}.png", nil, "@ada"), ("/ada", nil, nil, nil),
        // Parameters are still encoded.
        ("/a/%2F%zz", "/a/{id}", "%2F%zz", nil), ("/a/\u{301}", "/a/{id}", "\u{301}", nil),
    ]

    @Test(arguments: rows.indices)
    func pathFindsItsEndpoint(index: Int) {
        let row = Self.rows[index]
        let match = Self.routes.match(.get, row.path)
        #expect(match?.endpoint.path.pattern == row.pattern, "\(row.path)")
        #expect(match?.parameters.get("id") == row.id && match?.parameters.get("name") == row.name, "\(row.path)")
    }

    @Test(
        arguments: [
            ("/i/xy.png", "/i/x{n}.png", "y"), ("/i/y.png", "/i/{n}.png", "y"), ("/i/y.jpg", "/i/{any}", nil),
            ("/i/x.png", "/i/x{n}.png", ""), ("/i/.png", "/i/{n}.png", ""),
        ] as [(String, String, String?)])
    func longerPrefixesAndSuffixesComeFirst(path: String, pattern: String, parameter: String?) {
        let match = Self.routes.match(.get, path)
        #expect(match?.endpoint.path.pattern == pattern && match?.parameters.get("n") == parameter)
    }

    @Test func methodThatALiteralPathLacksIsFoundAtAParameter() {
        #expect(Self.routes.match(.put, "/a/first")?.endpoint.path.pattern == "/a/{id}")
        #expect(Self.routes.match(.put, "/a/first")?.parameters.get("id") == "first")
        #expect(Self.routes.match(.head, "/a/first")?.endpoint.path.pattern == "/a/first")
    }

    @Test func getAlsoAnswersHead() {
        #expect(Self.routes.match(.head, "/a/7")?.endpoint.method == .get)
        #expect(Self.routes.match(.head, "/files/x")?.endpoint.method == .head)
        #expect(Self.routes.match(.get, "/files/x") == nil && Self.routes.match(.post, "/a/7") == nil)
    }

    @Test(
        arguments: [
            ("/a/7", [.get, .head, .put]), ("/a/first", [.get, .head, .put]), ("/files/x", [.head, .post]),
            ("/none", []),
            ("/a/7/b", [.get, .head]),
        ] as [(String, Set<HTTPRequest.Method>)])
    func methodsOfAPathAreKnown(path: String, methods: Set<HTTPRequest.Method>) {
        #expect(Self.routes.methods(at: path) == methods)
    }

    /// No endpoint is hidden by another one, whose parameters match the same paths.
    @Test func everyEndpointOfTheServerIsFound() throws {
        let endpoints = try TestServices().services.endpoints()
        let routes = Router(endpoints)
        for endpoint in endpoints {
            let path = endpoint.path.pattern.replacing("{", with: "").replacing("}", with: "")
            #expect(routes.match(endpoint.method, path)?.endpoint.path == endpoint.path, "\(endpoint.path.pattern)")
        }
    }
}
