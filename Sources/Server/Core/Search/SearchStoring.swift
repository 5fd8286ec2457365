/// Finding by name.
package protocol SearchStoring: Sendable {
    /// The account whose name it is, then those whose name begins with it, then those whose display name contains it.
    /// - Parameter follower: Only accounts this one follows.
    func accounts(matching text: String, limit: Int, offset: Int, followedBy follower: Int64?) async throws -> [Account]
    /// Hashtags of public statuses that begin with `text`, in the order of the alphabet, lower case.
    func tags(beginningWith text: String, limit: Int, offset: Int) async throws -> [String]
}
