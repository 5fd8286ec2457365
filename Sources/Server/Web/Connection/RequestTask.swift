package import Hummingbird

/// Handles each request in a child task. Otherwise the connection's task would keep the deepest stack that any of its
/// requests needed: tens of kilobytes per idle connection.
package struct RequestTask<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    private let base: Base

    package init(_ base: Base) { self.base = base }

    @Sendable package func respond(to request: Request, context: Base.Context) async throws -> Response {
        async let response = base.respond(to: request, context: context)
        return try await response
    }
}
