import FeedTestSupport
import Testing

extension Validators {
    init(_ answer: RawHTTP.Answer) throws {
        let tag = try #require(answer.headers["etag"])
        let modified = try #require(answer.headers["last-modified"])
        self = try #require(Validators(tag: tag, modified: modified), "\(modified)")
    }
}
