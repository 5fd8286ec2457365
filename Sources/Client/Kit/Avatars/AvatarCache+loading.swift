import NIOCore
import NIOHTTP1

extension AvatarCache {
    /// Seconds for which a failure is not tried again.
    private static let pause = 60

    /// A picture that is here, fresh or not.
    private struct Known {
        let entry: AvatarEntry
        let source: AvatarImage.Source
    }

    /// Finds out what `url` shows: from disk, or by asking the server.
    func load(_ url: String) async throws -> AvatarImage {
        let known = await find(url)
        if let known, known.entry.isFresh(at: now()) { return await hit(known, url) }
        do {
            return try await ask(url, known?.entry)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return try await settle(error, url, known)
        }
    }

    private func find(_ url: String) async -> Known? {
        if let entry = memory.value(for: url) { return Known(entry: entry, source: .memory) }
        return await disk.find(url).map { Known(entry: $0, source: .disk) }
    }

    private func hit(_ known: Known, _ url: String) async -> AvatarImage {
        if known.source == .disk { counts.diskHits += 1 } else { counts.memoryHits += 1 }
        remember(known.entry, url)
        use(url)
        if isFlushDue { await disk.touch(takeUses()) }
        return known.entry.image(from: known.source)
    }

    private func ask(_ url: String, _ known: AvatarEntry?) async throws -> AvatarImage {
        try await slots.take()
        defer { slots.give() }
        let seconds = known == nil ? limits.requestSeconds : limits.revalidationSeconds
        let answer = try await fetcher.fetch(url, knowing: known, timeout: .seconds(seconds))
        let freshness = AvatarFreshness(answer.headers, now: now())
        if let known, answer.bytes == nil {
            counts.revalidated += 1
            let entry = known.renewed(by: answer.headers, until: freshness.freshUntil)
            await keep(entry, url, freshness)
            return entry.image(from: .revalidated)
        }
        let entry = try AvatarEntry(
            bytes: answer.bytes ?? [], headers: answer.headers, freshUntil: freshness.freshUntil)
        counts.misses += 1
        await keep(entry, url, freshness)
        return entry.image(from: .network)
    }

    private func keep(_ entry: AvatarEntry, _ url: String, _ freshness: AvatarFreshness) async {
        failures.remove(url)
        guard freshness.isKept else {
            memory.remove(url)
            return await disk.forget(url)
        }
        remember(entry, url)
        await disk.keep(entry, at: url, usedAt: nextUse(), used: takeUses())
    }

    /// What to do when no picture came: the old one serves on for a while, unless the server says that it is gone.
    private func settle(_ error: any Error, _ url: String, _ known: Known?) async throws -> AvatarImage {
        let error =
            error as? FeedClientError ?? FeedClientError(.network, "The picture could not be fetched", cause: error)
        let until = now() + Int64(max(Self.pause, error.retryAfter ?? 0)) * 1000
        counts.failures += 1
        let isGone = error.code == .notFound || error.code == .unauthorized
        if let known, !isGone {
            counts.stale += 1
            remember(known.entry.fresh(until: until), url)
            use(url)
            return known.entry.image(from: known.source)
        }
        failures.insert(Failure(error: error, until: until), for: url, cost: 1)
        memory.remove(url)
        if known != nil { await disk.forget(url) }
        throw error
    }

    private func remember(_ entry: AvatarEntry, _ url: String) {
        memory.insert(entry, for: url, cost: entry.bytes.count)
    }
}
