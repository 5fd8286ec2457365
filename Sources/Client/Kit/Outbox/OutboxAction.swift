public import FeedAPI

/// The action of an entry of the outbox instead of posting a new status. Repeating it has no further effect, so it is
/// sent again until the server has answered. Accounts, lists and hashtags are named as on the command line, and looked
/// up when the action is performed.
public enum OutboxAction: Codable, Sendable, Equatable {
    /// Favourites, boosts, bookmarks or pins a status, or undoes that.
    case react(StatusAction, id: String, undo: Bool)
    /// Votes for options, counted from 0, in the poll of a status.
    case vote([Int], inPollOf: String)
    /// Replaces the content of a status by the draft.
    case edit(id: String)
    /// Deletes a status of the account.
    case delete(id: String)
    /// Follows or unfollows the account with a handle.
    case follow(String, undo: Bool)
    /// Blocks or unblocks the account with a handle.
    case block(String, undo: Bool)
    /// Mutes the account with a handle, for some seconds from now, or until it is unmuted.
    case mute(String, seconds: Int?, hidesNotifications: Bool)
    /// Ends the mute of the account with a handle.
    case unmute(String)
    /// Follows or unfollows a hashtag.
    case followTag(String, undo: Bool)
    /// Changes the lists of the account.
    case changeList(ListChange)

    /// The status that is edited; `nil` for other actions.
    public var editedID: String? { if case .edit(let id) = self { id } else { nil } }

    /// Whether the action need not be repeated, because nothing that follows it may undo it. Only a second list would
    /// be one too many; everything else can be done twice.
    func isEffective(before later: [OutboxAction]) -> Bool {
        guard case .changeList(.create) = self else { return later.isEmpty }
        return !later.contains { if case .changeList(.delete) = $0 { true } else { false } }
    }
}

/// A change of the lists of an account. A list is named by its title or id.
public enum ListChange: Codable, Sendable, Equatable {
    /// - repliesPolicy: `none`, `list` or `followed`; `nil` for the server's default.
    /// - exclusive: Whether the home timeline leaves out the members.
    case create(title: String, repliesPolicy: String?, exclusive: Bool)
    case delete(String)
    /// Adds the accounts with some handles, which the account must follow.
    case add([String], to: String)
    /// Removes the accounts with some handles.
    case remove([String], from: String)
}

/// The result of posting or scheduling a status, or of another action of the outbox.
public enum ActionResult: Sendable {
    case scheduled(ScheduledEntry)
    /// The server has posted the status instead: an earlier request with the same key scheduled it, and it has been
    /// published since, or the server cannot schedule.
    case posted(TimelineEntry)
    /// The relationship to an account has been changed.
    case related(Entity.Account, Entity.Relationship)
    /// A status has been deleted; the entry is `nil` if it was already gone.
    case deleted(String, TimelineEntry?)
    /// The poll with the new votes, decoded and as the server sent it.
    case voted(Entity.Poll, [UInt8])
    /// A list has been created or deleted, or the accounts have been added to it or removed; `nil` for a deleted list that
    /// was already gone.
    case list(Entity.List?, [Entity.Account])
    /// A hashtag has been followed or unfollowed.
    case tag(Entity.Tag)
}

/// The circumstances in which an action is performed.
struct OutboxAttempt: Sendable {
    /// The account of the client; empty if it is not known.
    var username = ""
    /// The time since the user asked for the action, in milliseconds.
    var age: Int64 = 0
    /// Whether an earlier request may have reached the server.
    var isRepeated = false
}

extension FeedClient {
    /// Performs an action. After an earlier request whose outcome is unknown, finding the action done is a success.
    /// - Parameter draft: The new content of an edited status.
    func perform(
        _ action: OutboxAction, _ draft: Draft, _ attempt: OutboxAttempt = OutboxAttempt()
    ) async throws -> ActionResult {
        switch action {
        case .react(let action, let id, let undo): return .posted(try await perform(action, on: id, undo: undo))
        case .vote(let choices, let id): return try await voteOnce(choices, inPollOf: id)
        case .edit(let id): return .posted(try await edit(id, to: draft))
        case .delete(let id): return .deleted(id, try await deleteOnce(id, attempt))
        case .follow(let name, let undo):
            return try await relate(to: name, undo ? "unfollow" : "follow", attempt) { try await follow($0, !undo) }
        case .block(let name, let undo):
            return try await relate(to: name, undo ? "unblock" : "block", attempt) { try await block($0, !undo) }
        case .mute(let name, let seconds, let hidesNotifications):
            let rest = try seconds.map { try Self.rest(of: $0, after: attempt.age) }
            return try await relate(to: name, "mute", attempt) {
                try await mute($0, seconds: rest, hidesNotifications: hidesNotifications)
            }
        case .unmute(let name): return try await relate(to: name, "unmute", attempt) { try await unmute($0) }
        case .followTag(let name, let undo): return .tag(try await follow(tag: name, !undo))
        case .changeList(let change): return try await perform(change, attempt)
        }
    }

    // MARK: Accounts

    /// - Parameter verb: For the message if the account is the client's own.
    private func relate(
        to name: String, _ verb: String, _ attempt: OutboxAttempt,
        _ change: (_ id: String) async throws -> Entity.Relationship
    ) async throws -> ActionResult {
        let account = try await account(named: name)
        guard account.acct.lowercased() != attempt.username.lowercased() else {
            throw FeedClientError(.failed, "You cannot \(verb) yourself", status: 422)
        }
        return .related(account, try await change(account.id))
    }

    /// The rest of a mute that has waited in the outbox, in seconds.
    private static func rest(of seconds: Int, after age: Int64) throws -> Int {
        let rest = seconds - Int(age / 1000)
        guard rest > 0 else { throw FeedClientError(.failed, "The mute would have ended by now", status: 422) }
        return rest
    }

    // MARK: Statuses

    private func deleteOnce(_ id: String, _ attempt: OutboxAttempt) async throws -> TimelineEntry? {
        do { return try await delete(id) } catch let error as FeedClientError
            where attempt.isRepeated && error.code == .notFound
        {
            return nil
        }
    }

    /// Servers refuse a second vote, even if it is the same.
    private func voteOnce(_ choices: [Int], inPollOf id: String) async throws -> ActionResult {
        do {
            let (poll, json) = try await vote(choices, inPollOf: id)
            return .voted(poll, json)
        } catch let error as FeedClientError where error.code == .failed {
            let (poll, json) = try await currentPoll(of: id)
            guard poll.voted == true, let own = poll.own_votes, Set(own) == Set(choices) else { throw error }
            return .voted(poll, json)
        }
    }
}

extension FeedClient {
    private func perform(_ change: ListChange, _ attempt: OutboxAttempt) async throws -> ActionResult {
        switch change {
        case .create(let title, let repliesPolicy, let exclusive):
            if attempt.isRepeated, let list = try await lists().last(where: { $0.title == title }) {
                return .list(list, [])
            }
            return .list(try await createList(title, repliesPolicy: repliesPolicy, exclusive: exclusive), [])
        case .delete(let name): return .list(try await deleteOnce(listNamed: name, attempt), [])
        case .add(let names, let name): return try await add(names, to: name, attempt)
        case .remove(let names, let name):
            let (list, accounts) = try await members(names, of: name)
            try await remove(accounts.map(\.id), fromList: list.id)
            return .list(list, accounts)
        }
    }

    private func deleteOnce(listNamed name: String, _ attempt: OutboxAttempt) async throws -> Entity.List? {
        do {
            let list = try await self.list(named: name)
            try await deleteList(list.id)
            return list
        } catch let error as FeedClientError where attempt.isRepeated && error.code == .notFound {
            return nil
        }
    }

    private func add(_ names: [String], to name: String, _ attempt: OutboxAttempt) async throws -> ActionResult {
        let (list, accounts) = try await members(names, of: name)
        var missing = accounts.map(\.id)
        // Some servers refuse to add a member again.
        if attempt.isRepeated {
            try await readMembers(ofList: list.id) { page in
                missing.removeAll { id in page.contains { $0.id == id } }
                return !missing.isEmpty
            }
        }
        do {
            if !missing.isEmpty { try await add(missing, toList: list.id) }
        } catch let error as FeedClientError where error.code == .notFound {
            throw FeedClientError(
                .notFound, "The list can contain only accounts that you follow",
                hint: "Follow them first: feedclient follow @name.", cause: error, status: error.status)
        }
        return .list(list, accounts)
    }

    private func members(
        _ names: [String], of list: String
    ) async throws -> (list: Entity.List, accounts: [Entity.Account]) {
        let list = try await self.list(named: list)
        var accounts: [Entity.Account] = []
        for name in names { accounts.append(try await account(named: name)) }
        return (list, accounts)
    }
}
