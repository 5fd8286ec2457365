import FeedTestSupport
import Foundation
import Testing

/// Third-party clients whose requests nginx distributes to two servers on one database. The drivers about request limits
/// are omitted, because each server counts its own requests.
@Suite(.generousTimeLimit, .enabledWithPostgreSQL)
struct LoadBalancerTests {
    @Test(
        .enabled(if: MastodonClient.toot.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: TootTests.drivers)
    func toot(driver: MastodonDriver) async throws { try await Self.run(driver, with: .toot) }

    @Test(
        .enabled(if: MastodonClient.mastodonPy.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: MastodonPyTests.drivers.filter { $0.options.isEmpty && !$0.enforcesRateLimits })
    func mastodonPy(driver: MastodonDriver) async throws { try await Self.run(driver, with: .mastodonPy) }

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
