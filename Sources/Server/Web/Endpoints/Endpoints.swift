import FeedCore
import HTTPTypes
import Hummingbird

/// A method and a path of the server, and who may call it.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    let path: RouterPath
    let access: Access
}

/// Registers the endpoints of the controllers. Each endpoint must declare its ``Access``.
final class Endpoints {
    typealias Handler = @Sendable (Request, FeedContext) async throws -> any ResponseGenerator

    private(set) var all: [Endpoint] = []
    private let router: Router<FeedContext>

    init(router: Router<FeedContext>) { self.router = router }

    func get(_ path: String, _ access: Access, use handler: @escaping Handler) { add(.get, path, access, handler) }
    func head(_ path: String, _ access: Access, use handler: @escaping Handler) { add(.head, path, access, handler) }
    func post(_ path: String, _ access: Access, use handler: @escaping Handler) { add(.post, path, access, handler) }
    func put(_ path: String, _ access: Access, use handler: @escaping Handler) { add(.put, path, access, handler) }
    func patch(_ path: String, _ access: Access, use handler: @escaping Handler) { add(.patch, path, access, handler) }
    func delete(_ path: String, _ access: Access, use handler: @escaping Handler) {
        add(.delete, path, access, handler)
    }

    private func add(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler) {
        register(method, path, access, handler)
        // The same address (RFC 3986 §6.2.2.2): some clients encode every reserved character.
        guard path.utf8.starts(with: "/@".utf8) else { return }
        register(method, "/%40" + String(Substring(path.utf8.dropFirst(2))), access, handler)
    }

    private func register(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler
    ) {
        let path = RouterPath(path)
        all.append(Endpoint(method: method, path: path, access: access))
        router.on(path, method: method) { request, context in
            try access.check(context.caller)
            let response = try await handler(request, context).response(from: request, context: context)
            context.offerResponse(to: request, access)
            return response
        }
    }
}
