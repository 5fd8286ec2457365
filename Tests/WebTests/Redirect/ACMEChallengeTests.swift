import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct ACMEChallengeTests {
    private static let path = "/.well-known/acme-challenge/"

    @Test(arguments: [
        "a", "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0", "a_b-C9", String(repeating: "a", count: 128),
    ])
    func namesOfBase64URLAreServed(name: String) { #expect(ACMEChallenges.name(in: Self.path + name) == name) }

    @Test(arguments: [
        "", ".", "..", "a.b", "a/b", "../a", "a%2Fb", "a+b", "a=", "a b", "é", "a\0",
        String(repeating: "a", count: 129),
    ])
    func otherNamesAreRejected(name: String) { #expect(ACMEChallenges.name(in: Self.path + name) == nil) }

    @Test func otherPathsAreNoChallenges() { #expect(ACMEChallenges.name(in: "/other/acme-challenge/abc") == nil) }
}
