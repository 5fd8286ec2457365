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

    @Test func operatorCannotGiveAnAddressToTwoAccounts() async throws {
        let store = try TestStore()
        func add(_ name: String, _ email: String) async throws {
            var new = NewAccount(username: name)
            new.email = email
            _ = try await store.accounts.create(new)
        }
        try await add("ada", "ada@example.org")
        await #expect { try await add("bob", "ADA@example.org") } throws: {
            ($0 as? FeedError)?.kind == .conflict
        }
        for name in ["bob", "cleo"] { try await add(name, "") }
        #expect(try await store.accounts.account(email: "ada@EXAMPLE.org")?.username == "ada")
    }

    @Test func importedAddressBelongsToOneAccount() async throws {
        let store = try TestStore()
        func line(_ name: String, _ email: String) -> String {
            #"{"kind":"account","username":"\#(name)","email":"\#(email)"}"#
        }
        try await store.importLines([line("ada", "a@x"), line("bob", ""), line("cleo", "")].joined(separator: "\n"))
        // What exists is left unchanged, whatever the line says.
        try await store.importLines([line("ada", "a@x"), line("bob", "a@x")].joined(separator: "\n"))
        #expect(try await store.accounts.account(email: "A@X")?.username == "ada")
        await #expect { try await store.importLines(line("eve", "b@x") + "\n" + line("fay", "B@x")) } throws: {
            ($0 as? FeedError)?.message == "line 2: the address B@x is taken"
        }
    }
}
