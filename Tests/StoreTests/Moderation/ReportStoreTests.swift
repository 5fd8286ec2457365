import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct ReportStoreTests {
    @Test func reportsArePagedNewestFirst() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        var ids: [Int64] = []
        for number in 0..<7 {
            store.clock.now += 1000
            var draft = ReportDraft(targetID: ada.id)
            draft.comment = "report \(number)"
            ids.insert(try await store.reports.create(draft, by: bob.id).id, at: 0)
        }
        var found: [Int64] = []
        repeat {
            let page = try await store.reports.reports(
                ReportSelection(), page: Pagination(limit: 3, maxID: found.last), for: nil)
            found += page.map(\.id)
            guard page.count == 3 else { break }
        } while true
        #expect(found == ids)
        let upwards = try await store.reports.reports(
            ReportSelection(), page: Pagination(limit: 3, minID: ids[4]), for: nil)
        #expect(upwards.map(\.id) == Array(ids[1..<4]))
    }

    @Test func changesAreStoredAndLogged() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let report = try await store.reports.create(ReportDraft(targetID: ada.id), by: bob.id)
        let start = try await store.changes.position().sequence
        for change in ReportChange.allCases {
            store.clock.now += 1000
            let changed = try await store.reports.change(report.id, change, by: bob.id)
            #expect(changed.updatedAt == store.clock.now && changed.createdAt == report.createdAt)
            #expect((changed.assignee != nil) == (change == .assign))
            #expect(changed.resolution?.at == (change == .resolve ? store.clock.now : nil))
            #expect(changed.resolution?.by?.id == (change == .resolve ? bob.id : nil))
        }
        #expect(try await store.kinds(after: start) == ReportChange.allCases.map { _ in .reportUpdated })
        let error = await #expect(throws: FeedError.self) { try await store.reports.change(7, .resolve, by: nil) }
        #expect(error?.kind == .notFound)
    }

    @Test func suspendedAccountsCannotBeReported() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.moderation.perform(.suspend, on: ada.id)
        let error = await #expect(throws: FeedError.self) {
            try await store.reports.create(ReportDraft(targetID: ada.id), by: bob.id)
        }
        #expect(error?.kind == .notFound)
    }
}
