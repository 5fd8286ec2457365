/// Somebody who asks to follow. The id is the request's, given when it was made.
package struct FollowRequest: Sendable, Equatable {
    package var id: Int64
    package var account: Account

    package init(id: Int64, account: Account) {
        self.id = id
        self.account = account
    }
}
