import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

extension Response {
    /// A JSON response.
    init(json: JSONWriter, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: .init(byteBuffer: .init(bytes: json.bytes)))
    }
}
