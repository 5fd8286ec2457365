import FeedTestSupport
import TestKit
import Testing

/// Common tasks with toot, in the released version and that of Debian 12.
@Suite(.hangLimit)
struct TootTests {
    static let drivers =
        ["login", "statuses", "schedule", "social", "lists", "pages", "media", "polls", "discovery"].map {
            MastodonDriver(name: "toot_" + $0)
        }
        + [MastodonDriver(name: "toot_media", environment: MastodonDriver.withoutImageLibraries)]

    @Test(
        .enabled(if: MastodonClient.toot.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: drivers)
    func releasedVersionWorks(driver: MastodonDriver) async throws { try await driver.run(with: .toot) }

    @Test(
        .enabled(if: MastodonClient.oldToot.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: MastodonDriver.forOldVersion(drivers))
    func debian12VersionWorks(driver: MastodonDriver) async throws { try await driver.run(with: .oldToot) }
}
