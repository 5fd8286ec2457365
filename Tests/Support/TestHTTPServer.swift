import FeedAPI
import Foundation
package import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOPosix

/// A real HTTP server on SwiftNIO alone, which stands for the servers of others. It has no knowledge of the protocol under test.
package enum TestHTTPServer {
    package typealias Responder = @Sendable (Request) async throws -> Response

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// Runs a server for the duration of `test`.
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - respond: Responds to each request. If it throws, the response is 500.
    ///   - test: Receives the port.
    package static func serving<Value: Sendable>(
        port: Int = 0, _ respond: @escaping Responder, _ test: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await accept(server, respond) }
            defer { group.cancelAll() }
            return try await test(server.channel.localAddress?.port ?? 0)
        }
    }

    private static func accept(_ server: NIOAsyncChannel<Connection, Never>, _ respond: @escaping Responder)
        async throws
    {
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    // A client that leaves is no failure.
                    group.addTask { try? await serve(connection, respond) }
                }
            }
        }
    }

    private static func serve(_ connection: Connection, _ respond: Responder) async throws {
        try await connection.executeThenClose { parts, output in
            var received: (head: HTTPRequestHead, body: ByteBuffer)?
            for try await part in parts {
                switch part {
                case .head(let head): received = (head, ByteBuffer())
                case .body(var bytes): received?.body.writeBuffer(&bytes)
                case .end:
                    guard let (head, body) = received else { return }
                    try await send(answer(Request(head, body), respond), to: head, output)
                    guard head.isKeepAlive else { return }
                }
            }
        }
    }

    private static func answer(_ request: Request, _ respond: Responder) async -> Response {
        do { return try await respond(request) } catch { return Response(status: .internalServerError) }
    }

    /// Sends a response. If its body fails, the connection is closed in the middle.
    private static func send(
        _ response: Response, to request: HTTPRequestHead,
        _ output: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let status = HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        var headers = HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        headers.add(name: "Date", value: HTTPDate.text(seconds: Int64(Date.now.timeIntervalSince1970)))
        if let length = response.body.contentLength { headers.replaceOrAdd(name: "Content-Length", value: "\(length)") }
        try await output.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        if request.method != .HEAD, response.body.contentLength != 0 {
            try await response.body.write(BodyWriter(output: output))
        }
        try await output.write(.end(nil))
    }
}

extension TestHTTPServer {
    /// A request with its whole body.
    package struct Request: Sendable {
        package let method: HTTPRequest.Method
        package let uri: Target
        package let headers: HTTPFields
        package let body: ByteBuffer

        fileprivate init(_ head: HTTPRequestHead, _ body: ByteBuffer) {
            method = HTTPRequest.Method(head.method.rawValue) ?? .get
            uri = Target(string: head.uri)
            headers = HTTPFields(
                head.headers.compactMap { name, value in
                    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                })
            self.body = body
        }
    }

    package struct Target: Sendable {
        package let string: String

        /// The path, percent-encoded.
        package var path: String { String(string.prefix { $0 != "?" }) }
        /// The part after the first `?`; `nil` without one.
        package var query: String? { string.firstIndex(of: "?").map { String(string[string.index(after: $0)...]) } }
        /// The decoded parameters of the query.
        package var queryParameters: [String: String] { HTMLForm.query(of: string) }
    }

    package struct Response: Sendable {
        package var status: HTTPResponse.Status
        package var headers: HTTPFields
        package var body: ResponseBody

        package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    /// A body that is written piece by piece.
    package struct ResponseBody: Sendable {
        let contentLength: Int?
        let write: @Sendable (BodyWriter) async throws -> Void

        package init(byteBuffer: ByteBuffer = ByteBuffer()) {
            self.init(contentLength: byteBuffer.readableBytes) { try await $0.write(byteBuffer) }
        }

        /// - Parameter contentLength: `nil` for a chunked body.
        package init(contentLength: Int? = nil, _ write: @escaping @Sendable (BodyWriter) async throws -> Void) {
            (self.contentLength, self.write) = (contentLength, write)
        }
    }

    package struct BodyWriter: Sendable {
        fileprivate let output: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

        /// Returns once the connection accepts more.
        package func write(_ bytes: ByteBuffer) async throws { try await output.write(.body(.byteBuffer(bytes))) }
    }
}
