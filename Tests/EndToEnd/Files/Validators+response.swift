import FeedTestSupport
import TestKit
import Testing

extension Validators {
    init(_ response: RawHTTP.Response) throws {
        let tag = try #require(response.headers["etag"])
        let modified = try #require(response.headers["last-modified"])
        self = try #require(Validators(tag: tag, modified: modified), "\(modified)")
    }
}
