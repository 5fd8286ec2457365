/// The permission to replace or delete a file.
package enum FileOwnershipRule {
    /// Checks that an account may store other bytes under the name of an existing file.
    /// - Throws: ``FeedError`` `.forbidden` for another account's file, also for administrators.
    package static func checkReplacing(_ file: StoredFile, by account: Account) throws(FeedError) {
        guard file.ownerID == account.id else {
            throw FeedError(.forbidden, "This name belongs to another account", hint: "Choose another name.")
        }
    }

    /// Checks that an account may delete a file. Administrators may delete any.
    /// - Throws: ``FeedError`` `.forbidden` for another account's file.
    package static func checkDeleting(_ file: StoredFile, by account: Account) throws(FeedError) {
        guard file.ownerID == account.id || account.role == .admin else {
            throw FeedError(.forbidden, "This file belongs to another account")
        }
    }
}
