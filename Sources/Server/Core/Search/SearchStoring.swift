/// Searches accounts and hashtags.
package protocol SearchStoring: Sendable {
    /// Matching accounts: first the account with that username, then those whose username starts with `text`, then
    /// those whose display name contains it.
    /// - Parameters:
    ///   - follower: If not `nil`, only accounts followed by this account are returned.
    ///   - viewer: The viewer, who finds silenced accounts that they do not follow only by their exact username.
    func accounts(
        matching text: String, limit: Int, offset: Int, followedBy follower: Int64?, for viewer: Int64?
    ) async throws -> [Account]
    /// The keys of hashtags of public statuses that start with that of `text`, in alphabetical order.
    func tags(beginningWith text: String, limit: Int, offset: Int) async throws -> [String]
}
