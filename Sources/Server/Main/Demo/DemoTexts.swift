// swift-format-ignore-file
// Excluded from formatting, because one text per line is easier to read.

/// The people and texts of the demo feed.
enum DemoTexts {
    /// One demo account.
    struct Person {
        let username: String  // ASCII [a-z0-9_], 2–20 characters
        let displayName: String
        let city: String
        let language: String  // "en", "zh", "ru", "es", "de", "it", "ja" or "pt"
        let note: String  // one-sentence biography in that language
    }

    /// Statuses with which one person continues an own one.
    static let thread = [
        "How to keep a small server happy, a short thread. One: make a backup tonight, not on the day you need it.",
        "Two: restore it once, on another machine. A backup that nobody has restored is a hope, not a backup.",
        "Three: write down what you did, for the person who looks after it next year. It will be you.",
    ]

    static let poll = (
        author: "teapot418", text: "Settle this once and for all: when is the best time for a cup of tea?",
        options: ["Before breakfast", "Mid-morning", "At four, of course", "Whenever the kettle is on"]
    )

    static let people: [Person] = [
        Person(username: "demo", displayName: "Demo", city: "Hamburg", language: "en", note: "The account for trying things out, so please press all the buttons."),
        Person(username: "ada", displayName: "Ada Winterling", city: "Bristol", language: "en", note: "Writes small programs, bakes large loaves and answers letters by hand."),
        Person(username: "kenji", displayName: "健二", city: "鎌倉", language: "ja", note: "海の近くで古いラジオを直しながら、言葉の勉強を続けています。"),
        Person(username: "mossy", displayName: "Mossy 🌿", city: "Wellington", language: "en", note: "Ferns, fog, fermented things and the occasional very wet hill."),
        Person(username: "tomasz_k", displayName: "Tomasz", city: "Kraków", language: "en", note: "Database person by day, mediocre chess player by night."),
        Person(username: "priya", displayName: "Priya", city: "ಬೆಂಗಳೂರು", language: "en", note: "Filter coffee, old compilers and a balcony with too many chillies."),
        Person(username: "oldmaps", displayName: "Old Maps Ned", city: "Halifax", language: "en", note: "Collects maps of places that have since moved a little."),
        Person(username: "fern", displayName: "Fern & Fiddle 🎻", city: "Gaillimh", language: "en", note: "Plays slow airs quickly and fast reels slowly."),
        Person(username: "latetrain", displayName: "The Late Train", city: "Leeds", language: "en", note: "Signals, sandwiches and a great fondness for branch lines."),
        Person(username: "jun_lee", displayName: "준 Jun", city: "서울", language: "en", note: "Film cameras, night walks and noodles, usually in that order."),
        Person(username: "eleni", displayName: "Ελένη", city: "Αθήνα", language: "en", note: "Translator who keeps a list of words that refuse to be translated."),
        Person(username: "wanjiku", displayName: "Wanjikũ", city: "Nairobi", language: "en", note: "Teaches astronomy to children, who mostly teach it back."),
        Person(username: "pixelbaker", displayName: "Pixel Baker 🍞", city: "Melbourne", language: "en", note: "Draws small icons and bakes big bread."),
        Person(username: "rowan", displayName: "Rowan", city: "Glasgow", language: "en", note: "Gardener of a very small plot with very big plans."),
        Person(username: "semicolon", displayName: "semicolon;", city: "Toronto", language: "en", note: "Reads manual pages for fun; has regrets about nothing."),
        Person(username: "nino", displayName: "ნინო", city: "თბილისი", language: "en", note: "Architecture student who sketches staircases and feeds courtyard cats."),
        Person(username: "birdlog", displayName: "Bird Log 🐦", city: "Caerdydd", language: "en", note: "Counts birds before breakfast and biscuits after it."),
        Person(username: "harriet", displayName: "Harriet Plum", city: "Edinburgh", language: "en", note: "Librarian, knitter and defender of the card catalogue."),
        Person(username: "otto_repairs", displayName: "Otto Repairs Things 🔧", city: "Chicago", language: "en", note: "If it hums and should not, or should and does not, bring it over."),
        Person(username: "ingrid", displayName: "Ingrid", city: "Tromsø", language: "en", note: "Northern lights, wool socks and a sourdough older than my bicycle."),
        Person(username: "teapot418", displayName: "Teapot 🫖", city: "Singapore", language: "en", note: "Always warm, usually half full, and hopeless at making coffee."),
        Person(username: "saoirse", displayName: "Saoirse", city: "Corcaigh", language: "en", note: "Sea swimmer, boat mender and reader of tide tables."),
        Person(username: "cassette", displayName: "Cassette Club 📼", city: "Portland", language: "en", note: "Making mix tapes for friends and repairing the decks that eat them."),
        Person(username: "joost", displayName: "Joost", city: "Utrecht", language: "en", note: "Two bicycles, one cargo bike and a growing theory about headwinds."),
        Person(username: "maplewood", displayName: "Maple 🍁", city: "Vancouver", language: "en", note: "Builds wooden toys and tests them personally."),
        Person(username: "thabo", displayName: "Thabo", city: "Cape Town", language: "en", note: "Trail runner, choir bass and weekend cook for far too many people."),
        Person(username: "slowrunner", displayName: "Slow Runner", city: "Helsinki", language: "en", note: "Always last, always smiling and always first at the buns."),
        Person(username: "lotte", displayName: "Lotte", city: "Leipzig", language: "de", note: "Setzt kleine Webseiten, große Beete und gelegentlich den falschen Fuß zuerst."),
        Person(username: "bruno_b", displayName: "Bruno", city: "Köln", language: "de", note: "Kontrabass, Kartoffelsuppe und eine Schwäche für alte Straßenbahnen."),
        Person(username: "veza", displayName: "Veza 🌻", city: "Wien", language: "de", note: "Gärtnert auf vier Quadratmetern Balkon und liest auf dem fünften."),
        Person(username: "radkurier", displayName: "Radkurier Jo 🚲", city: "Münster", language: "de", note: "Fährt Pakete durch den Regen und kennt jede Ampel beim Vornamen."),
        Person(username: "ute", displayName: "Ute vom Deich", city: "Husum", language: "de", note: "Schafe, Wolken und ein Teleskop, das meistens Wolken sieht."),
        Person(username: "sternwart", displayName: "Sternwart", city: "Jena", language: "de", note: "Schaut nachts nach oben und tagsüber in den Compiler."),
        Person(username: "mirko", displayName: "Mirko", city: "Zürich", language: "de", note: "Sammelt Fahrpläne, Bergwege und Rezepte mit viel Käse."),
        Person(username: "kramkiste", displayName: "Kramkiste", city: "Freiburg", language: "de", note: "Repariert, was andere wegwerfen, und hebt den Rest vorsichtshalber auf."),
        Person(username: "linxi", displayName: "林溪", city: "杭州", language: "zh", note: "写代码，喝绿茶，在湖边慢慢散步。"),
        Person(username: "xiaomai", displayName: "小麦 🌾", city: "成都", language: "zh", note: "认真做饭，认真午睡，其他事情随缘。"),
        Person(username: "laozhou", displayName: "老周修车", city: "北京", language: "zh", note: "修了半辈子自行车，还是喜欢听飞轮的声音。"),
        Person(username: "ayun", displayName: "阿云", city: "昆明", language: "zh", note: "在阳台上种花，在山上看云，在本子上记下名字。"),
        Person(username: "wanfan", displayName: "晚饭吃什么", city: "广州", language: "zh", note: "每天都在思考这个最重要的问题。"),
        Person(username: "beichuang", displayName: "北窗", city: "南京", language: "zh", note: "旧书、慢车、下雨天，偶尔写一点读书笔记。"),
        Person(username: "mingming", displayName: "明明在跑步", city: "厦门", language: "zh", note: "沿着海边跑，跑得不快，风景看得很清楚。"),
        Person(username: "qingcha", displayName: "青茶 🍵", city: "青岛", language: "zh", note: "白天调数据库，晚上调望远镜。"),
        Person(username: "varya", displayName: "Варя", city: "Санкт-Петербург", language: "ru", note: "Читаю в трамваях, рисую крыши и дружу с дворовыми котами."),
        Person(username: "timofey", displayName: "Тимофей", city: "Новосибирск", language: "ru", note: "Программист, лыжник и хранитель старой закваски."),
        Person(username: "dacha_zina", displayName: "Зина на даче 🌱", city: "Тверь", language: "ru", note: "Шесть соток, два кота и бесконечные кабачки."),
        Person(username: "lev_paika", displayName: "Лев паяет", city: "Екатеринбург", language: "ru", note: "Чиню приёмники, лампы и всё, что ещё может светить или говорить."),
        Person(username: "sonya_s", displayName: "Соня", city: "Казань", language: "ru", note: "Преподаю фортепиано и уговариваю всех играть гаммы."),
        Person(username: "aliya", displayName: "Әлия", city: "Алматы", language: "ru", note: "Горы по утрам, базы данных днём, звёзды ночью."),
        Person(username: "lucia", displayName: "Lucía", city: "València", language: "es", note: "Arroces, bicicletas y una huerta pequeña que manda mucho."),
        Person(username: "mateo_mx", displayName: "Mateo", city: "Oaxaca", language: "es", note: "Programo de día, tuesto café de noche y duermo cuando toca."),
        Person(username: "pilar", displayName: "Pilar 🎸", city: "Sevilla", language: "es", note: "Toco la guitarra despacio y leo novelas deprisa."),
        Person(username: "nico_bici", displayName: "Nico en bici", city: "Montevideo", language: "es", note: "Pedaleo por la rambla y saludo a todos los perros."),
        Person(username: "dario", displayName: "Dario in cucina 🍝", city: "Bologna", language: "it", note: "Cucino per gli amici e spiego volentieri l’acqua della pasta."),
        Person(username: "giulia", displayName: "Giulia", city: "Torino", language: "it", note: "Bibliotecaria con troppi libri in prestito da se stessa."),
        Person(username: "enzo", displayName: "Enzo", city: "Trieste", language: "it", note: "Treni lenti, caffè corto e vento in faccia."),
        Person(username: "haruka", displayName: "はるか🌸", city: "京都", language: "ja", note: "図書館で働いています。休みの日は鈍行列車で遠くへ。"),
        Person(username: "sorairo", displayName: "そらいろ", city: "札幌", language: "ja", note: "星と雪と、小さなプログラムが好きです。"),
        Person(username: "beatriz", displayName: "Beatriz", city: "Porto", language: "pt", note: "Azulejos, sopas e um caderno cheio de receitas por experimentar."),
        Person(username: "caio", displayName: "Caio ☕", city: "Recife", language: "pt", note: "Café coado, violão desafinado e código que quase sempre compila."),
    ]

    /// Posts by language, each a complete status.
    static let posts: [String: [String]] = [
        "en": english,
        "de": german,
        "zh": chinese,
        "ru": russian,
        "es": spanish,
        "it": italian,
        "ja": japanese,
        "pt": portuguese,
    ]

    /// Short replies by language.
    static let replies: [String: [String]] = [
        "en": englishReplies,
        "de": germanReplies,
        "zh": chineseReplies,
        "ru": russianReplies,
        "es": spanishReplies,
        "it": italianReplies,
        "ja": japaneseReplies,
        "pt": portugueseReplies,
    ]

    /// Names of applications.
    static let sources: [String] = ["Web", "feedclient", "iPhone", "iPad", "Android", "Terminal"]

    /// Statuses with a content warning, by language.
    static let warned: [(language: String, spoiler: String, text: String)] = [
        (language: "en", spoiler: "Spoilers for a mystery novel", text: "So it was the piano tuner after all. He was in the first chapter, he was polite, and he had a key to every house in the village. I suspected the lighthouse keeper for three hundred pages. 🕵️"),
        (language: "en", spoiler: "Food", text: "Onions fried slowly until they are almost jam, on thick toast, with far too much mustard. I had three slices and I would do it again. 🧅"),
        (language: "en", spoiler: "Long post about plumbing", text: "The tap dripped. I replaced the washer, and it dripped. I replaced the valve, and it dripped politely, once an hour, to let me know that it was thinking about it.\n\nThen I tightened the one nut that I had been avoiding. Silence. I have been standing in the bathroom, listening to nothing, for a quarter of an hour."),
        (language: "de", spoiler: "Spinne (harmlos, ohne Bild)", text: "Im Keller wohnt seit einer Weile eine sehr große Spinne. Wir haben uns geeinigt: Sie bekommt die Ecke hinter dem Regal, ich bekomme das Regal. Bisher halten sich beide Seiten an die Abmachung. 🕷️"),
        (language: "de", spoiler: "Regelfragen zu einem Brettspiel, sehr kleinteilig", text: "Wenn zwei Leute gleichzeitig die letzte Brücke bauen, zählt dann die Reihenfolge am Tisch oder die Zahl der Steine? Wir haben eine Stunde lang diskutiert, gewürfelt und am Ende beiden einen Keks gegeben."),
        (language: "zh", spoiler: "推理小说剧透", text: "看到最后才知道，管家真的只是管家，凶手是那个每天来送牛奶的人。第一章就写了他的鞋上有泥，我居然一直没有在意。"),
        (language: "ru", spoiler: "Еда, причём ночью", text: "Картошка с грибами, прямо со сковороды, в час ночи. Ложкой. Никаких оправданий, только корочка."),
        (language: "es", spoiler: "Quejas menores sobre el clima", text: "Tendí la ropa: llovió. Recogí la ropa: salió el sol. La volví a tender: llovió. La ropa y yo nos hemos rendido y ahora vivimos dentro de casa. 🌧️"),
        (language: "it", spoiler: "Cibo (e molto formaggio)", text: "Polenta morbida, tre formaggi diversi e un cucchiaio di burro che non doveva esserci. Non chiedetemi la ricetta: è tutta qui."),
        (language: "ja", spoiler: "将棋の長い話", text: "終盤で飛車を切るかどうか、二十分も考えた。結局切らずに負けて、相手に「切っていたら勝ちでしたね」と笑顔で言われた。今夜はその局面を並べ直しながら、お茶を飲む。🍵"),
    ]
}

// swift-format-ignore-file
// Excluded from formatting, because one text per line is easier to read.

extension DemoTexts {
    static let chinese: [String] = [
        "今晚的番茄炒蛋终于做出了妈妈的味道，秘诀是多放一点点糖。🍅",
        "炖了三个小时的牛腩，整栋楼都知道我家今天吃什么。 #烹饪",
        "冰箱里只剩半颗白菜和两个鸡蛋，结果做出了这个月最好吃的一碗面。",
        "请教大家：包饺子的面要醒多久？我家三个人有四种说法。🥟",
        "学会了一件事：做菜之前先把米饭煮上，人生会从容很多。 #烹饪",
        "骑车去江边吹风，去的时候逆风，回来的时候还是逆风，至今想不通。🚲",
        "给自行车换了新链条，安静得像换了一辆车。 #骑行",
        "在路边补胎的时候，一位大爷蹲下来指导了我二十分钟，最后还送了我一块补丁。",
        "坐慢车回家，多花两个小时，换来一路的稻田和晚霞，值得。 #慢旅行",
        "火车上邻座的小朋友在数隧道，数到十七的时候睡着了，我替他继续数。",
        "最喜欢的位置：靠窗，有热水，手机没有信号。",
        "阳台上的辣椒终于红了，一共三个，舍不得吃。🌶️",
        "薄荷这种植物，种下去容易，让它停下来很难。 #园艺",
        "今天的园艺成果：\n一、拔草一小时\n二、误拔香菜两棵\n三、向香菜道歉",
        "有没有在朝北的阳台上种活过番茄的朋友？想听听你们的经验。 #园艺",
        "把个人主页改成了手写的HTML，打开速度快得让我有点不习惯。 #小网站",
        "喜欢看别人的友情链接，一个接一个点下去，像在陌生的小镇里散步。 #小网站",
        "写了一篇笔记，讲怎么用一个SQLite文件管理家里的全部藏书： https://example.org/bookshelf",
        "找了一下午的问题，最后发现是时区。果然又是时区。",
        "给查询加了一个索引，从八百毫秒变成了三毫秒，忍不住又运行了十遍。 #SQLite",
        "删掉了四百行代码，测试全部通过，反而有点不放心。",
        "Swift的枚举用久了，看什么都想给它加一个关联值。 #Swift",
        "终端的字号又调大了一号，绝对不是因为年纪。",
        "你们的命令行配置里，最舍不得删掉的是哪一行？",
        "用朋友的望远镜看到了土星环，图片看过一百次，亲眼看到还是会“哇”出来。🪐",
        "山上的夜空干净得不像话，数流星数到脖子酸。 #天文",
        "刚把望远镜擦干净，天就阴了半个月，这大概是天文爱好者的日常。",
        "图书馆靠窗的那个座位，冬天有太阳，夏天有树影，我愿意一直坐下去。",
        "借来的旧书里夹着一张手写的菜谱，照着做了，很好吃。\n\n谢谢不知名的前一位读者。 #读书",
        "大家读不下去的书会硬着头皮读完吗？我现在给每本书五十页的机会。 #读书",
        "猫难得主动坐到我腿上，我已经两个小时没敢动了。🐈",
        "买了一个很贵的猫窝，猫选择了装猫窝的纸箱。",
        "早上五点，猫准时开会，议题是早饭。🐾",
        "雨下了一整天，正好有理由什么都不做，只听雨。",
        "雾大得看不见对面的楼，连鸟叫都像是从棉花里传出来的。",
        "同一首曲子练了很久，楼上的邻居说，终于听出来是哪一首了。🎹",
        "节拍器很稳，我不太稳，我们正在互相适应。 #练琴",
        "今天跑了五公里，其中有一公里是在追一顶被风吹走的帽子。",
        "跑步最难的不是最后一公里，是出门前系鞋带的那一分钟。 #跑步",
        "一卷胶卷三十六张，满意的只有一张，已经很开心了。📷",
        "每周拍一次楼下的同一棵树，翻看照片才发现它一直在悄悄长大。 #摄影",
        "修好了用了十年的台灯，原来只是一根线松了，差点就把它扔了。",
        "学日语学到现在，终于能看懂超市的打折标签，感觉非常实用。\n\n谢谢 @kenji 一直耐心地纠正我的作业。",
        "桌游之夜：讲规则四十分钟，玩二十分钟，争论谁赢了一个小时。🎲",
        "手冲咖啡的时候什么也不想，只看水慢慢落下去，这三分钟是一天里最安静的。☕",
    ]

    static let chineseReplies: [String] = [
        "太有同感了！",
        "哈哈哈，我也是这样。",
        "看完心情都变好了。",
        "求后续，拜托！",
        "说得太好了。",
        "收藏了，慢慢看。🔖",
        "原来不是只有我一个人。",
        "羡慕，真好。",
        "今天看到的最开心的一条。",
        "可以多讲一点吗？很想听。",
        "谢谢分享！",
        "画面感好强，笑出声了。😂",
        "已经转给家里人看了。",
        "这样的日子真不错。",
    ]
}

extension DemoTexts {
    static let japanese: [String] = [
        "味噌汁のだしを丁寧にとった。それだけで一日が少し整う気がする。",
        "冷蔵庫の残りもので作った炒飯が、このところでいちばんおいしかった。🍳",
        "ぬか床をかき混ぜるのを忘れた日は、なぜか謝ってから蓋を開ける。 #料理",
        "行きも向かい風、帰りも向かい風。自転車は人生の勉強になる。🚲",
        "チェーンに油をさしたら、自転車が急に無口になった。 #自転車",
        "鈍行列車の窓側、温かいお茶、読みかけの文庫本。これ以上の休日はない。",
        "終点まで乗ってみたら、駅前に猫が三匹いるだけの町だった。最高だった。 #鉄道",
        "ベランダのトマトがようやく赤くなった。全部で三つ。毎朝数えている。🍅",
        "朝顔の観察日記\n・芽が出た\n・つるが伸びた\n・隣の物干し竿まで行った",
        "ホームページを手書きのHTMLに戻した。軽すぎて、読み込まれたことに気づかない。",
        "個人サイトのリンク集をたどるのが好きだ。知らない町の路地を歩いているみたいで。 #個人サイト",
        "原因はタイムゾーンだった。いつもタイムゾーンだ。",
        "SQLiteに索引をひとつ足したら、検索が三百倍速くなった。今夜はよく眠れそう。 #SQLite",
        "四百行消してもテストが全部通る。うれしいような、少し怖いような。",
        "小さな望遠鏡で土星の環が見えた。写真で知っていても、声が出る。🪐",
        "図書館の窓際の席は、雨の日がいちばんいい。 #読書",
        "借りた本に、押し花のしおりがはさまっていた。次の人のために、そのまま返した。 #読書",
        "猫用のベッドを買った。猫は箱のほうで寝ている。🐈",
        "雨の音を聞きながら豆を挽く。急ぐ用事がないというのは、ぜいたくだ。",
        "同じ小節を五十回練習した。五十一回目で、やっと指が納得した。 #ピアノ",
        "壊れた傘を直した。骨を一本つないだだけなのに、雨が待ち遠しい。",
        "英語の勉強を続けている。今日は冗談がひとつ通じた。\n\n@ada さん、笑ってくれてありがとう！",
    ]

    static let japaneseReplies: [String] = [
        "わかります、すごく。",
        "いいですね！",
        "うちもまったく同じです。",
        "続きが気になります。",
        "読んでほっこりしました。☺️",
        "声を出して笑ってしまいました。",
        "素敵なお話、ありがとうございます。",
        "こういう投稿が好きです。",
    ]
}
