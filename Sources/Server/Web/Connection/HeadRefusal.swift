import FeedAPI
import HTTPTypes

/// The reason why a request is rejected whose head violates the rules of HTTP. A connection of HTTP/1 closes after the
/// response, since the body's length cannot be trusted.
struct HeadRefusal: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String
}

extension Response {
    init(_ refusal: HeadRefusal) {
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        self.init(json: json, status: refusal.status)
    }
}

extension Request {
    /// A request whose head is refused, for the log. A hyphen takes the place of what is missing or malformed.
    init(refused method: String?, target: String?, headers: RequestFields, isSecure: Bool) {
        self.init(
            method: method.flatMap { HTTPRequest.Method($0) } ?? HTTPRequest.Method("-") ?? .get,
            target: target ?? "-", host: nil, isSecure: isSecure, headers: headers)
    }
}
