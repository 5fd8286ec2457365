import HTTPTypes
import Testing

/// An endpoint of the API, with the shape of its response. In a path, `{name}` is a placeholder for an id known to the
/// test.
struct APIEndpoint: Sendable, CustomTestStringConvertible {
    enum Access: Sendable {
        /// Everyone, with or without a token.
        case anyone
        /// An account's token with this scope.
        case person(scope: String)
        /// An administrator's token with this scope.
        case admin(scope: String)
        /// Everyone, but a token must have this scope.
        case anyoneOr(scope: String)
        /// A token of an application or an account.
        case application
        /// Everyone; the endpoint checks the credentials in the body.
        case credentials
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    let shape: Shape
    /// A valid body.
    var form: String?
    /// The caller in the test of shapes.
    var viewer = "ada"

    var testDescription: String { "\(method) \(path)" }

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ shape: Shape, form: String? = nil,
        viewer: String = "ada"
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.shape = shape
        self.form = form
        self.viewer = viewer
    }

    /// The scope that a token must have.
    var scope: String? {
        switch access {
        case .person(let scope), .admin(let scope), .anyoneOr(let scope): scope
        default: nil
        }
    }

    var needsPerson: Bool {
        switch access {
        case .person, .admin: true
        default: false
        }
    }

    var needsAdmin: Bool {
        if case .admin = access { true } else { false }
    }

    /// The path as registered with the router, with unnamed ids and without the query.
    var route: String {
        path.prefix { $0 != "?" }.replacing(/\{[a-z]+\}/.ignoresCase(), with: ":id").description
    }

    /// The path with its ids replaced.
    func path(_ ids: [String: String]) -> String {
        ids.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
