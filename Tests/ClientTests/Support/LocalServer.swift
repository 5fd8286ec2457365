import FeedTestSupport
import HTTPTypes

typealias Request = TestHTTPServer.Request
typealias Response = TestHTTPServer.Response
typealias ResponseBody = TestHTTPServer.ResponseBody

/// A real HTTP server for the duration of a test.
enum LocalServer {
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - respond: Responds to every GET request.
    ///   - test: Receives the port.
    static func serving<Value: Sendable>(
        port: Int = 0, _ respond: @escaping TestHTTPServer.Responder, _ test: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        try await TestHTTPServer.serving(
            port: port, { $0.method == .get ? try await respond($0) : Response(status: .notFound) }, test)
    }
}
