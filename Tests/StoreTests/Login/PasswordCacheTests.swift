import Foundation
import Testing

@testable import FeedStore

/// The memory for verified passwords.
@Suite struct PasswordCacheTests {
    private static func entry(addresses: Int = 1) -> VerifiedPassword {
        VerifiedPassword(
            code: Data(count: 32), hash: "hash", until: 1, addresses: Set((0..<addresses).map { "10.0.0.\($0)" }))
    }

    @Test func memoryIsBoundedInBytes() {
        var passwords = PasswordCache(limit: 10_000)
        var most = 0
        for account: Int64 in 0..<1000 {
            passwords[account] = Self.entry()
            most = max(most, passwords.count)
            #expect(passwords[account] != nil)
        }
        #expect((5...20).contains(most))
        // An entry that is seen from many networks takes the place of several others.
        passwords[1] = Self.entry(addresses: 50)
        #expect(passwords.count == 1 && passwords[1]?.addresses.count == 50)
        // What is removed or replaced is no longer counted.
        for _ in 0..<1000 {
            passwords[1] = Self.entry()
            passwords[2] = Self.entry()
            passwords[2] = nil
        }
        #expect(passwords.count == 1 && passwords[1] != nil)
    }

    @Test func tooLittleMemoryMeansNoEntries() {
        var passwords = PasswordCache(limit: 100)
        passwords[1] = Self.entry()
        #expect(passwords[1] == nil && passwords.count == 0)
        passwords.removeAll()
        #expect(passwords.count == 0)
    }
}
