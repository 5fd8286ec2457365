/// The rule of how many hashtags an account may follow.
package enum TagFollowRule {
    /// The maximum number of hashtags that an account follows.
    package static let maximum = 100

    /// - Parameter count: The number of hashtags that the account follows.
    /// - Throws: ``FeedError`` `.invalid` if it must not follow another one.
    package static func checkNumber(_ count: Int) throws(FeedError) {
        guard count < maximum else { throw .invalid("You cannot follow more than \(maximum) hashtags") }
    }
}
