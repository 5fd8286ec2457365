import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Performs what the reader asks for, through the outbox wherever that is possible, so that nothing is lost or done twice.
struct ReaderActions: Sendable {
    let loader: ReaderLoader

    private var global: GlobalOptions { loader.global }
    private var tell: @Sendable (ReaderMessage) -> Void { loader.send }

    // MARK: Storing

    /// Stores posts and reactions in the outbox, as they come. Needs no network.
    /// - Parameter next: Receives what remains to be done.
    func store(_ effects: AsyncStream<ReaderEffect>, next: @Sendable (ReaderWork) -> Void) async {
        for await effect in effects { if let work = await stored(effect) { next(work) } }
    }

    private func stored(_ effect: ReaderEffect) async -> ReaderWork? {
        do {
            switch effect {
            case .react(let reaction, let id, let undo):
                return try await claim(OutboxPost(.react(reaction.action, id: id, undo: undo)), effect)
            case .post(let form) where form.editing == nil: return try await claim(try post(form), effect)
            default: return .other(effect)
            }
        } catch {
            takeBack(effect, error)
            return nil
        }
    }

    private func claim(_ post: OutboxPost, _ effect: ReaderEffect) async throws -> ReaderWork {
        let claim = try await GlobalOptions.outbox.add(post, for: OutboxAccount(try global.login()))
        return .claim(claim, effect)
    }

    /// What has failed for good: a mark disappears, and a text is in its form again.
    private func takeBack(_ effect: ReaderEffect, _ error: any Error) {
        if case .react(let reaction, let id, let undo) = effect { tell(.reacted(reaction, id, isUndone: !undo)) }
        if case .post(let form) = effect { tell(.form(form)) }
        say(error)
    }

    private func say(_ error: any Error) {
        guard let known = error as? FeedClientError else { return tell(.notice("\(error)")) }
        tell(.notice([known.message, known.hint].compactMap(\.self).joined(separator: ". ")))
    }

    // MARK: Sending

    func send(_ work: ReaderWork) async {
        switch work {
        case .claim(let claim, let effect): await send(claim, effect)
        case .other(let effect): await perform(effect)
        }
    }

    private func send(_ claim: OutboxClaim, _ effect: ReaderEffect) async {
        do {
            _ = try await OutboxSubmission(global: global).send(claim)
            tell(.offline(nil))
            if case .post = effect { tell(.notice("Sent.")) }
        } catch let error as FeedClientError where ReaderLoader.isOffline(error) {
            tell(.offline("kept in the outbox; " + error.message))
        } catch is CancellationError {
        } catch {
            // A refused text is a draft now, so that the form would be a second copy.
            if case .react = effect { takeBack(effect, error) } else { say(error) }
        }
    }

    func perform(_ effect: ReaderEffect) async {
        switch effect {
        case .vote(let id, let choices): await vote(id, choices)
        case .delete(let id): await delete(id)
        case .reply(let id): await reply(id)
        case .edit(let id): await edit(id)
        case .post(let form): await save(form)
        case .media(let id): await openMedia(id)
        case .seen(let source, let id): await markSeen(source, upTo: id)
        default: await loader.perform(effect)
        }
    }

    private func vote(_ id: String, _ choices: [Int]) async {
        await loader.reporting {
            _ = try await global.use { try await $0.vote(choices, inPollOf: id) }
            tell(.notice("Voted."))
        }
    }

    private func delete(_ id: String) async {
        await loader.reporting {
            _ = try await global.use { try await $0.delete(id) }
            tell(.deleted(id))
            tell(.notice("Deleted."))
        }
    }

    /// Records that a source has been read, here and for the account's other programs.
    private func markSeen(_ source: ReaderSource, upTo id: String) async {
        guard let session = try? global.session() else { return }
        let stored = StoredTimelines(session)
        if let timeline = source.timeline { await stored.markSeen(timeline, upTo: id) }
        let position: ReadPosition? = source == .home ? .home : source == .notifications ? .notifications : nil
        guard let position, session.login?.isClassic == false else { return }
        await stored.update(global, reading: position, upTo: id, appliesChanges: false)
    }

    // MARK: Writing

    private func reply(_ id: String) async {
        await loader.reporting {
            let session = try global.session()
            let template: ReplyTemplate
            if let stored = try await StoredTimelines(session).statuses().status(id) {
                template = ReplyTemplate(
                    answering: stored.status, by: loader.items.account, host: session.address.authority)
            } else {
                template = try await global.use { try await $0.replyTemplate(for: id) }
            }
            tell(
                .form(
                    ReaderForm(
                        text: template.opening, warning: template.spoilerText ?? "",
                        visibility: template.visibility ?? "public", replyTo: template.inReplyToID)))
        }
    }

    private func edit(_ id: String) async {
        await loader.reporting {
            let draft = try await global.use { try await $0.draft(editing: id) }
            tell(.form(ReaderForm(text: draft.text, warning: draft.spoilerText ?? "", editing: id)))
        }
    }

    /// Saves the new text of a status. Its media and its poll stay.
    private func save(_ form: ReaderForm) async {
        guard let id = form.editing else { return }
        do {
            var draft = try await global.use { try await $0.draft(editing: id) }
            (draft.text, draft.spoilerText) = (form.text.text, form.warning.isEmpty ? nil : form.warning.text)
            _ = try await OutboxSubmission(global: global).perform(OutboxPost(.edit(id: id), draft: draft))
            tell(.notice("Saved."))
            await loader.load(.home)
        } catch {
            tell(.form(form))
            say(error)
        }
    }

    private func post(_ form: ReaderForm) throws -> OutboxPost {
        var draft = Draft(text: TextPrompt.trimmed(form.text.text))
        draft.spoilerText = form.warning.isEmpty ? nil : form.warning.text
        (draft.visibility, draft.inReplyToID) = (form.visibility, form.replyTo)
        let files = form.media.map { media in
            MediaFile(Self.absolute(media.path), description: media.description.isEmpty ? nil : media.description)
        }
        for file in files { try file.check() }
        return OutboxPost(draft: draft, files: files)
    }

    /// Opens the first file of a status.
    private func openMedia(_ id: String) async {
        await loader.reporting {
            let store = try StoredTimelines(try global.session()).statuses()
            let stored = try await store.status(id)
            let status =
                if let stored { stored.status } else { try await global.use { try await $0.status(id) }.status }
            guard let url = status.media_attachments?.first?.url else { return tell(.notice("There is no file.")) }
            tell(.opened(url))
        }
    }

    /// The path as a shell would understand it.
    private static func absolute(_ path: String) -> String {
        let expanded = NSString(string: path).expandingTildeInPath
        return expanded.hasPrefix("/") ? expanded : FileManager.default.currentDirectoryPath + "/" + expanded
    }
}

/// An action whose post is stored, or one that cannot be stored.
enum ReaderWork: Sendable {
    case claim(OutboxClaim, ReaderEffect)
    case other(ReaderEffect)
}
