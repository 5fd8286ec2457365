/// A limit that `limits` of the configuration file can set. Limits with an option of their own are ``SettingKey``s.
package struct LimitKey: Sendable {
    package let name: String
    let path: any WritableKeyPath<Limits, Int> & Sendable
    package let range: ClosedRange<Int>
    /// Whether a change takes effect without a restart.
    package let reloads: Bool

    private init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, _ range: ClosedRange<Int>,
        reloads: Bool = true
    ) {
        self.name = name
        self.path = path
        self.range = range
        self.reloads = reloads
    }

    private static let seconds = 1...86_400
    private static let count = 1...1_000_000

    /// The documented limits, in the order of `Docs/operating.md`.
    package static let all = [
        LimitKey("statusCharacters", \.statusCharacters, 1...5000),
        LimitKey("profileFields", \.profileFields, 0...16),
        LimitKey("memberInvitations", \.memberInvitations, 0...1000),
        LimitKey("mediaPerStatus", \.media.perStatus, 1...16),
        LimitKey("mediaDescriptionCharacters", \.media.descriptionCharacters, 1...5000),
        LimitKey("imageBytes", \.media.imageBytes, 1 << 10...1 << 30),
        LimitKey("videoBytes", \.media.videoBytes, 1 << 10...1 << 32),
        LimitKey("imagePixels", \.media.pixels, 1...100_000_000),
        LimitKey("changeLogDays", \.changeDays, 1...3650),
        LimitKey("rateLimitSeconds", \.requests.seconds, seconds),
        LimitKey("posts", \.posts.count, count),
        LimitKey("follows", \.follows.count, count),
        LimitKey("uploads", \.uploads.count, count),
        LimitKey("accountCreations", \.accountCreations.count, count),
        LimitKey("accountCreationSeconds", \.accountCreations.seconds, seconds),
        LimitKey("applicationRegistrations", \.applicationRegistrations.count, count),
        LimitKey("applicationRegistrationSeconds", \.applicationRegistrations.seconds, seconds),
        LimitKey("loginFailures", \.loginFailures.pair, count),
        LimitKey("loginFailuresPerNetwork", \.loginFailures.network, count),
        LimitKey("loginFailuresPerAccount", \.loginFailures.account, count),
        LimitKey("streamsPerAccount", \.streams.perAccount, 1...10_000),
        LimitKey("streamsPerAddress", \.streams.perAddress, 1...100_000),
        LimitKey("cacheBytes", \.cacheBytes, 1 << 20...1 << 36, reloads: false),
    ]
}
