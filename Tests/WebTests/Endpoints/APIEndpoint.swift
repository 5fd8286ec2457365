import HTTPTypes
import Testing

/// One address of the API, with what an answer looks like. In a path `{name}` stands for an id the test knows.
struct APIEndpoint: Sendable, CustomTestStringConvertible {
    enum Access: Sendable {
        /// For everyone, logged in or not.
        case anyone
        /// For a token of a person with this scope.
        case person(scope: String)
        /// For everyone, but a token must have this scope.
        case anyoneOr(scope: String)
        /// For a token of a program or of a person.
        case program
        /// Judges what the body holds.
        case credentials
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    let shape: Shape
    /// A body that is all right.
    var form: String?
    /// Who asks in the test of shapes.
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

    /// The scope a token needs.
    var scope: String? {
        switch access {
        case .person(let scope), .anyoneOr(let scope): scope
        default: nil
        }
    }

    var needsPerson: Bool {
        if case .person = access { true } else { false }
    }

    /// The path as the router has it: the names of ids do not matter, the query is not part of it.
    var route: String {
        path.prefix { $0 != "?" }.replacing(/\{[a-z]+\}/.ignoresCase(), with: ":id").description
    }

    /// The path with ids filled in.
    func path(_ ids: [String: String]) -> String {
        ids.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
