import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Performs what the reader asks for, through the outbox wherever that is possible, so that nothing is lost or done twice.
struct ReaderActions: Sendable {
    /// The time between two attempts to get an entry that is being sent.
    private static let pause = Duration.milliseconds(200)
    /// The number of attempts to send an entry that has to wait for an earlier one, which somebody else is sending.
    private static let attempts = 25

    let loader: ReaderLoader
    /// The statuses whose texts are being edited. An edit replaces everything that a status contains.
    private let edited = EditedStatuses()

    private var global: GlobalOptions { loader.global }
    private var tell: @Sendable (ReaderEvent) -> Void { loader.send }

    // MARK: Storing

    /// Stores posts and reactions in the outbox, as they come. Needs no network.
    /// - Parameter next: Receives what remains to be done.
    func store(_ effects: AsyncStream<ReaderEffect>, next: @Sendable (ReaderWork) -> Void) async {
        for await effect in effects { if let work = await stored(effect) { next(work) } }
    }

    private func stored(_ effect: ReaderEffect) async -> ReaderWork? {
        do {
            guard let post = try post(effect) else { return nil }
            let claim = try await GlobalOptions.outbox.add(post, for: OutboxAccount(try global.login()))
            tell(.outboxChanged)
            return ReaderWork(claim: claim, effect: effect)
        } catch {
            takeBack(effect, error)
            return nil
        }
    }

    /// The outbox entry for an effect; `nil` for an effect that sends nothing.
    private func post(_ effect: ReaderEffect) throws -> OutboxPost? {
        switch effect {
        case .react(let reaction, let id, let undo): OutboxPost(.react(reaction.action, id: id, undo: undo))
        case .vote(let id, let choices): OutboxPost(.vote(choices, inPollOf: id))
        case .delete(let id): OutboxPost(.delete(id: id))
        case .follow(let name, let undo): OutboxPost(.follow(name, undo: undo))
        case .post(let form): try post(form)
        default: nil
        }
    }

    /// An action that has failed for good: a mark disappears, and a text is in its form again.
    private func takeBack(_ effect: ReaderEffect, _ error: any Error) {
        if case .react(let reaction, let id, let undo) = effect { tell(.reacted(reaction, id, isUndone: !undo)) }
        if case .post(let form) = effect { tell(.form(form)) }
        loader.say(error)
    }

    // MARK: Sending

    func send(_ work: ReaderWork) async {
        do {
            switch try await sent(work.claim) {
            case .delivered(_, let sent):
                tell(.offline(nil))
                await report(work.effect, sent)
            case .refused(let entry, let error): refuse(work.effect, OutboxFlush.refusal(entry, error))
            case .kept(let entry, let error): throw error ?? OutboxSubmission.unclear(entry)
            }
        } catch let error as FeedClientError where error.isTemporary {
            if error.code != .tryLater || error.status != nil { tell(.offline(error.message)) }
            tell(.notice("It waits in the outbox."))
        } catch is CancellationError {
        } catch { loader.say(error) }
        tell(.outboxChanged)
    }

    /// Sends an entry after what was stored before it, as the commands do, with the login that it was written with.
    private func sent(_ claim: OutboxClaim) async throws -> OutboxResult {
        // The next attempt may be somebody else's.
        defer { claim.release() }
        return try await global.use(claim.entry.account) { client in
            for _ in 1..<Self.attempts {
                let result = try await send(claim, with: client)
                guard result.isBehindOthers else { return result }
                try await Task.sleep(for: Self.pause)
            }
            return try await send(claim, with: client)
        }
    }

    private func send(_ claim: OutboxClaim, with client: FeedClient) async throws -> OutboxResult {
        try await GlobalOptions.outbox.send(claim, with: client, onFailure: loader.say, report: loader.report)
    }

    /// A refused text is a draft now, so that the form would be a second copy.
    private func refuse(_ effect: ReaderEffect, _ error: any Error) {
        if case .react = effect { takeBack(effect, error) } else { loader.say(error) }
    }

    /// Says and shows what has become of an effect.
    private func report(_ effect: ReaderEffect, _ sent: ActionResult) async {
        switch (effect, sent) {
        case (.post(let form), .posted(let entry)) where form.editing != nil:
            loader.change(entry, in: .home)
            tell(.notice("Saved."))
        case (.post, _): tell(.notice("Sent."))
        // With its new counts.
        case (.react, .posted(let entry)): loader.change(entry, in: .home)
        case (.delete(let id), _):
            tell(.deleted(id))
            tell(.notice("Deleted."))
        case (.vote(let id, _), _):
            tell(.notice("Voted."))
            if let entry = try? await global.use({ try await $0.status(id) }) { loader.change(entry, in: .home) }
        case (.follow(let name, let undo), _):
            tell(.notice(undo ? "No longer following." : "Following, or asked to."))
            await loader.loadAccount(name)
        default: break
        }
    }

    func perform(_ effect: ReaderEffect) async {
        switch effect {
        case .reply(let id): await reply(id)
        case .edit(let id): await edit(id)
        case .markRead(let id): await markRead(id)
        case .drop(let id): await drop(id)
        case .flush(let isAutomatic): await flush(isAutomatic ? .automatic : .flush)
        case .seen(let source, let id): await markSeen(source, upTo: id)
        default: await loader.perform(effect)
        }
    }

    /// Without a network, the conversation stays unread.
    private func markRead(_ id: String) async {
        guard (try? await global.use { try await $0.markConversationRead(id) }) != nil else { return }
        await loader.load(.conversations)
    }

    private func drop(_ id: String) async {
        await loader.reporting {
            try await claim(id).remove()
            tell(.notice("Removed."))
        }
        tell(.outboxChanged)
    }

    /// Waits while the entry is being sent: the answer may be that the server cannot be reached.
    private func claim(_ id: String) async throws -> OutboxClaim {
        while true {
            do {
                return try await GlobalOptions.outbox.claim(id)
            } catch let error as FeedClientError where error.code == .tryLater {
                tell(.notice("It is being sent. If that fails, it is removed."))
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func flush(_ trigger: OutboxTrigger) async {
        await loader.reporting {
            try await loader.flush(trigger)
            tell(.offline(nil))
        }
        tell(.outboxChanged)
    }

    /// Records that a source has been read, here and for the account's other programs.
    private func markSeen(_ source: ReaderSource, upTo id: String) async {
        guard let session = try? global.session() else { return }
        let stored = OfflineTimelines(session)
        if let timeline = source.timeline { await stored.markSeen(timeline, upTo: id) }
        guard let position = source.readPosition, session.login?.isClassic == false else { return }
        await stored.update(global, reading: position, upTo: id, appliesChanges: false)
    }

    // MARK: Writing

    private func reply(_ id: String) async {
        await open(.reply(id)) {
            let session = try global.session()
            let template: ReplyDraft
            if let stored = try await OfflineTimelines(session).statuses().status(id) {
                var profile = try? await global.profile(GlobalOptions.profileAge)
                if profile == nil { profile = try? await global.profile(.cacheOnly) }
                template = try global.reply(to: stored, by: profile)
            } else {
                template = try await global.use { try await $0.replyDraft(for: id) }
            }
            return ReaderForm(
                text: template.opening, warning: template.spoilerText ?? "", visibility: template.visibility ?? "",
                replyTo: template.inReplyToID)
        }
    }

    private func edit(_ id: String) async {
        await open(.edit(id)) {
            let draft = try await global.use { try await $0.draft(editing: id) }
            edited.keep(draft, of: id)
            return ReaderForm(text: draft.text, warning: draft.spoilerText ?? "", editing: id)
        }
    }

    /// Opens the form that was asked for, or ends the waiting for it.
    private func open(_ request: ReaderEffect, _ form: () async throws -> ReaderForm) async {
        await loader.reporting {
            do {
                tell(.opened(request, try await form()))
            } catch {
                tell(.opened(request, nil))
                throw error
            }
        }
    }

    private func post(_ form: ReaderForm) throws -> OutboxPost {
        let warning = form.warning.isEmpty ? nil : form.warning.text
        if let id = form.editing {
            var draft = try edited.draft(of: id)
            (draft.text, draft.spoilerText) = (TextPrompt.trimmed(form.text.text), warning)
            return OutboxPost(.edit(id: id), draft: draft)
        }
        var draft = Draft(text: TextPrompt.trimmed(form.text.text))
        (draft.spoilerText, draft.inReplyToID) = (warning, form.replyTo)
        draft.visibility = form.visibility.isEmpty ? nil : form.visibility
        let files = form.media.map { media in
            // As a shell would understand it.
            let path = NSString(string: media.path).expandingTildeInPath.absolutePath
            return MediaFile(path, description: media.description.isEmpty ? nil : media.description)
        }
        for file in files { try file.check() }
        return OutboxPost(draft: draft, files: files)
    }
}

extension OutboxResult {
    /// Whether an action has not been sent, because somebody else is sending an earlier one.
    fileprivate var isBehindOthers: Bool {
        guard case .kept(let entry, let error as FeedClientError) = self else { return false }
        return entry.post.action != nil && error.code == .tryLater && error.status == nil
    }
}

/// The contents of statuses when their forms were opened.
private final class EditedStatuses: Sendable {
    private let drafts = Mutex<[String: Draft]>([:])

    func keep(_ draft: Draft, of id: String) { drafts.withLock { $0[id] = draft } }

    /// - Throws: ``FeedClientError`` `.failed` if no form was opened for the status.
    func draft(of id: String) throws(FeedClientError) -> Draft {
        guard let draft = drafts.withLock({ $0[id] }) else {
            throw FeedClientError(.failed, "Open the status again before you edit it")
        }
        return draft
    }
}

/// An action that is stored in the outbox, and has yet to be sent.
struct ReaderWork: Sendable {
    let claim: OutboxClaim
    let effect: ReaderEffect
}
