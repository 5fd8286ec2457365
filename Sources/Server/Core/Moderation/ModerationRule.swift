/// The rules for what a moderator may do to other accounts through the API. The operator's commands are not restricted.
package enum ModerationRule {
    /// - Parameters:
    ///   - moderator: The moderator as stored now, who may have lost the role since the request was authenticated.
    ///   - otherAdmins: The number of active administrators, without the target.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func check(
        _ action: ModerationAction, by moderator: Account, on target: Account, otherAdmins: Int
    ) throws(FeedError) {
        guard moderator.role == .admin, moderator.suspendedAt == nil else { throw .notAllowed }
        switch action {
        case .none, .unsilence, .unsuspend: return
        case .silence: try refuseSelf(moderator, target)
        case .suspend:
            try refuseSelf(moderator, target)
            try refuseLastAdmin(target, otherAdmins)
        case .remove:
            try refuseSelf(moderator, target)
            guard target.suspendedAt != nil else {
                throw FeedError(
                    .forbidden, "This action is not allowed", hint: "Only a suspended account can be removed.")
            }
            try refuseLastAdmin(target, otherAdmins)
        }
    }

    private static func refuseSelf(_ moderator: Account, _ target: Account) throws(FeedError) {
        guard moderator.id == target.id else { return }
        throw FeedError(.forbidden, "This action is not allowed", hint: "Moderators cannot act on their own account.")
    }

    private static func refuseLastAdmin(_ target: Account, _ otherAdmins: Int) throws(FeedError) {
        guard target.role == .admin, otherAdmins == 0 else { return }
        throw FeedError(.forbidden, "This action is not allowed", hint: "This is the last administrator.")
    }
}
