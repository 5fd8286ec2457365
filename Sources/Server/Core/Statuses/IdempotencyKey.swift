/// The lifetime of idempotency keys, by which a repeated request to post is recognized (`Idempotency-Key`, as in the
/// Mastodon API).
package enum IdempotencyKey {
    /// The time in milliseconds for which a key is valid.
    package static let lifetime: Int64 = 86_400_000

    /// Keys created at or before this time have expired.
    /// - Parameter now: Milliseconds since 1970.
    package static func expiry(at now: Int64) -> Int64 { now - lifetime }
}
