import FeedAPI
import HTTPTypes
import NIOHTTP1

extension Response {
    /// The response to a request whose head violates the rules of HTTP.
    init(_ refusal: RequestHeadRules.Refusal) {
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        let status = HTTPResponse.Status(code: Int(refusal.status.code), reasonPhrase: refusal.status.reasonPhrase)
        self.init(json: json, status: status)
        addLength()
    }
}
