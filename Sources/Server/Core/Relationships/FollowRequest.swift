/// A pending follow request.
package struct FollowRequest: Sendable, Equatable {
    /// The id of the request.
    package var id: Int64
    /// The requesting account.
    package var account: Account

    package init(id: Int64, account: Account) {
        self.id = id
        self.account = account
    }
}
