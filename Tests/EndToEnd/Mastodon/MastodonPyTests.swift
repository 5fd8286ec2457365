import FeedTestSupport
import TestKit
import Testing

/// Common tasks with Mastodon.py, in the released version and that of Debian 12.
@Suite(.hangLimit)
struct MastodonPyTests {
    static let drivers =
        [
            "login", "statuses", "timelines", "social", "notifications", "profile", "pages", "media", "polls",
            "schedule", "lists", "discovery", "filters", "streaming",
        ].map {
            MastodonDriver(name: "mastodon_" + $0)
        } + [
            MastodonDriver(name: "mastodon_media", environment: MastodonDriver.withoutImageLibraries),
            MastodonDriver(name: "mastodon_register", options: ["--open-registration"]),
            MastodonDriver(name: "mastodon_groups", administrators: ["root"]),
            MastodonDriver(name: "mastodon_moderation", administrators: ["root"]),
            MastodonDriver(name: "mastodon_approval", options: ["--registration", "approval"]),
            MastodonDriver(name: "mastodon_instance", enforcesRateLimits: true),
            MastodonDriver(name: "mastodon_limits", options: ["--rate-limit", "40"], enforcesRateLimits: true),
        ]

    @Test(
        .enabled(if: MastodonClient.mastodonPy.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: drivers)
    func releasedVersionWorks(driver: MastodonDriver) async throws { try await driver.run(with: .mastodonPy) }

    @Test(
        .enabled(if: MastodonClient.oldMastodonPy.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: MastodonDriver.forOldVersion(drivers))
    func debian12VersionWorks(driver: MastodonDriver) async throws { try await driver.run(with: .oldMastodonPy) }
}
