import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Third-party clients whose requests nginx distributes to two servers on one database. The drivers about request limits
/// are omitted, because each server counts its own requests.
@Suite(.hangLimit, .enabledWithPostgreSQL)
struct LoadBalancerTests {
    @Test(
        .enabled(if: MastodonClient.toot.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: TootTests.drivers)
    func toot(driver: MastodonDriver) async throws { try await Self.run(driver, with: .toot) }

    @Test(
        .enabled(if: MastodonClient.mastodonPy.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: MastodonPyTests.drivers.filter { $0.options.isEmpty && !$0.enforcesRateLimits })
    func mastodonPy(driver: MastodonDriver) async throws { try await Self.run(driver, with: .mastodonPy) }

    @Test(
        .serialized,
        .enabled(if: MastodonClient.chromium.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: EventSourceTests.drivers)
    func chromium(driver: MastodonDriver) async throws { try await Self.run(driver, with: .chromium) }

    /// Each of the servers is stopped in turn, so that streams move to the other one, and nothing is lost or repeated.
    @Test(.enabled(if: MastodonClient.chromium.isInstalled, "it is not installed: scripts/foreign-clients"))
    func chromiumFollowsFromServerToServer() async throws {
        let feed = try await SharedFeed(servers: 2, accounts: ["ada", "bob"])
        let token = try await feed.admin("token", "create", "bob").text.trimmingCharacters(in: .newlines)
        let bob = try await StreamAuthor(token, followedBy: feed.token, on: feed.servers[0])
        try await ForeignServer.loadBalancer(feed.servers.map(\.port)).serving { place in
            try await EventSourceFollower.following(place.address, token: feed.token) { follower in
                var events: [String] = []
                func post(_ text: String, to index: Int) async throws {
                    events.append("update " + (try await bob.post(text, to: feed.servers[index])))
                }
                for (index, signal) in [(0, SIGTERM), (1, SIGKILL)] {
                    for number in 0..<4 { try await post("both \(number)", to: number % 2) }
                    try await follower.received(events)
                    try await feed.servers[index].stop(signal)
                    for number in 0..<4 { try await post("one \(number)", to: 1 - index) }
                    // Streams of the server that is gone have been opened on the other one.
                    try await follower.received(events)
                    try await feed.restart(index)
                }
                try await follower.opened(2)
                try await post(EventSourceFollower.end, to: 1)
                try await follower.received(events)
            }
        }
        try await feed.stop()
    }

    private static func run(_ driver: MastodonDriver, with client: MastodonClient) async throws {
        let feed = try await SharedFeed(
            servers: 2, accounts: MastodonDriver.accounts, administrators: driver.administrators)
        try await ForeignServer.loadBalancer(feed.servers.map(\.port)).serving { place in
            try await driver.check(client, at: place.address)
        }
        try await feed.stop()
    }
}

extension Trait where Self == ConditionTrait {
    /// Without PostgreSQL, the tests are skipped, or fail if foreign programs are required.
    static var enabledWithPostgreSQL: Self {
        .enabled(
            if: PostgresCluster.programs != nil || Tool.isRequired,
            "PostgreSQL is not installed: apt install postgresql")
    }
}
