import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct HTTPSLocationTests {
    @Test(arguments: [
        ("feed.test", "/", 443, "https://feed.test/"), ("Feed.Test:80", "/a?b=c", 443, "https://feed.test/a?b=c"),
        ("feed.test:8080", "//other.test/", 8443, "https://feed.test:8443//other.test/"),
        ("[::1]:80", "/", 443, "https://[::1]/"), ("[::1]", "/", 8443, "https://[::1]:8443/"),
        ("10.0.0.1", "*", 443, "https://10.0.0.1/"), ("feed.test", "", 443, "https://feed.test/"),
    ])
    func hostAndPathAreKept(host: String, target: String, port: Int, location: String) {
        #expect(HTTPSLocation(configured: nil).location(host: host, target: target, port: port) == location)
    }

    @Test(arguments: [nil, "", "a b", "a/b", "a@b", "a:b", "[::1", "a\r\nb"])
    func invalidHostsAreRejected(host: String?) {
        #expect(HTTPSLocation(configured: nil).location(host: host, target: "/", port: 443) == nil)
        let redirect = HTTPSLocation(configured: "https://feed.example")
        #expect(redirect.location(host: host, target: "/a", port: 8443) == "https://feed.example/a")
    }
}

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
