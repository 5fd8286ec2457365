import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct RequestLimitTests {
    @Test(arguments: [
        (1, 1, 300, 400, 1000), (300, 300, 300, 400, 1000), (301, 301, 301, 401, 1003),
        (3000, 3000, 3000, 4000, 10_000),
        (Int.max, Int.max, Int.max, Int.max, Int.max),
    ])
    func higherLimitRaisesActionLimits(count: Int, requests: Int, posts: Int, follows: Int, uploads: Int) {
        var limits = Limits()
        limits.setRequests(count)
        #expect(limits.requests == RateLimit(requests, perSeconds: 300))
        #expect(limits.posts == RateLimit(posts, perSeconds: 10_800))
        #expect(limits.follows == RateLimit(follows, perSeconds: 86_400))
        #expect(limits.uploads == RateLimit(uploads, perSeconds: 3600))
        #expect(limits.accountCreations == Limits().accountCreations)
    }
}
