import FeedCore
import FeedStore
import FeedTestSupport
import Testing

struct EmailTests {
    @Test func emailBelongsToOneRegisteredAccount() async throws {
        let store = try TestStore()
        var accounts = ["ada", "bob", "eve"].map { NewAccount(username: $0) }
        for index in accounts.indices { accounts[index].email = index == 1 ? "A@EXAMPLE.ORG" : "a@example.org" }
        let kinds = await withTaskGroup(of: FeedError.Kind?.self) { [accounts] group in
            for account in accounts {
                group.addTask {
                    do {
                        _ = try await store.registrations.register(account, SignUp(mode: .open))
                        return nil
                    } catch {
                        return (error as? FeedError)?.kind
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.filter { $0 == nil }.count == 1 && kinds.filter { $0 == .conflict }.count == 2)
    }
}
