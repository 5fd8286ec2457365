/// Stores votes, and closes polls. Polls are stored and read with their statuses.
package protocol PollStoring: Sendable {
    /// Adds the votes of an account.
    /// - Parameters:
    ///   - choices: The numbers of the options, from 0.
    ///   - id: The id of the poll, which is that of its status.
    /// - Returns: The status with the poll.
    /// - Throws: ``FeedError`` `.notFound` if there is no such poll or the account may not see its status, `.forbidden` if
    ///   the account blocks the author, `.invalid` if ``PollRule`` refuses the votes.
    func vote(_ choices: [Int], in id: Int64, by account: Int64) async throws -> Status
    /// Closes the poll that ended first, and notifies its author and its voters.
    /// - Returns: Whether there was one to close.
    func closeNext() async throws -> Bool
}
