import FeedAPI
import FeedCore
import HTTPTypes
import NIOCore

extension Response {
    /// A response of plain text.
    init(text: String, type: String = "text/plain; charset=utf-8", headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = type
        self.init(status: .ok, headers: headers, body: .init(byteBuffer: .init(string: text)))
    }

    /// The response `{}`.
    static var emptyObject: Response {
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }

    /// A JSON response.
    init(json: JSONWriter, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: .init(byteBuffer: .init(bytes: json.bytes)))
    }
}
