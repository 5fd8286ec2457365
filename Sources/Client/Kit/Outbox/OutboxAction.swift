/// What an entry of the outbox does instead of posting a new status. Repeating it has no further effect, so it is sent again
/// until the server has answered.
public enum OutboxAction: Codable, Sendable, Equatable {
    /// Favourites, boosts, bookmarks or pins a status, or undoes that.
    case react(StatusAction, id: String, undo: Bool)
    /// Follows or unfollows the account with a handle.
    case follow(String, undo: Bool)
    /// Replaces the content of a status by the draft.
    case edit(id: String)

    /// The status that is edited; `nil` for other actions.
    public var editedID: String? { if case .edit(let id) = self { id } else { nil } }
}

extension FeedClient {
    /// Performs an action.
    /// - Parameters:
    ///   - draft: The new content of an edited status.
    ///   - username: The account of this client; empty if it is not known.
    func perform(_ action: OutboxAction, _ draft: Draft, as username: String) async throws -> SchedulingResult {
        switch action {
        case .react(let action, let id, let undo): return .posted(try await perform(action, on: id, undo: undo))
        case .edit(let id): return .posted(try await edit(id, to: draft))
        case .follow(let name, let undo):
            let account = try await account(named: name)
            guard account.acct.lowercased() != username.lowercased() else {
                throw FeedClientError(.failed, "You cannot \(undo ? "unfollow" : "follow") yourself", status: 422)
            }
            return .related(account, try await follow(account.id, !undo))
        }
    }
}
