package import Hummingbird

/// Answers each request in a task of its own. A connection's task lives as long as the connection, and with it the deepest
/// stack one of its requests ever needed: tens of kilobytes for each connection that only waits.
package struct RequestTask<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    private let base: Base

    package init(_ base: Base) { self.base = base }

    @Sendable package func respond(to request: Request, context: Base.Context) async throws -> Response {
        async let response = base.respond(to: request, context: context)
        return try await response
    }
}
