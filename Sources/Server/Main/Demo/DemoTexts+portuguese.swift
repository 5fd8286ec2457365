// swift-format-ignore-file
// Excluded from formatting, because one text per line is easier to read.

extension DemoTexts {
    static let portuguese: [String] = [
        "A sopa de hoje nasceu do que havia na cozinha, e ficou melhor do que qualquer receita. 🥣",
        "@ada adorei a dica do forno bem quente. O pão cresceu tanto que já não cabe na forma.",
        "A minha avó media o sal a olho. Eu uso uma balança e ainda erro.",
        "Vento contra na ida e vento contra na volta. Alguém me explica? 🚲",
        "Corrente nova, pneus cheios, e a bicicleta parece outra. #bicicleta",
        "As ervas da varanda decidiram crescer todas para o lado do vizinho. Ele agradece.",
        "Tarefas da horta:\n– regar\n– tirar as ervas daninhas\n– ficar um pouco à sombra",
        "Gosto de sites pequenos, feitos à mão, que abrem antes de eu terminar o clique. #smallweb",
        "Era o fuso horário. É sempre o fuso horário.",
        "Um índice no SQLite e a consulta ficou trezentas vezes mais rápida. Que alegria simples. #sqlite",
        "Vi os anéis de Saturno num telescópio emprestado e fiquei sem palavras. 🪐",
        "A biblioteca do bairro tem um sofá perto da janela que merecia uma placa com o meu nome. #leitura",
        "O gato dorme em cima do livro que quero ler. Leio outro.",
        "Chove devagar, o café está pronto, e não há pressa nenhuma. ☕",
        "Toco a mesma canção há um mês. Ontem a vizinha cantou junto, do outro lado da parede.",
        "Escrevi um pequeno guia sobre consertar cadeiras bambas: https://example.org/cadeiras",
    ]

    static let portugueseReplies: [String] = [
        "Que maravilha!",
        "Aqui é igualzinho.",
        "Conta mais, por favor!",
        "Ganhei o dia com isto.",
        "Concordo com cada palavra.",
        "Ri sem conseguir parar. 😄",
        "Quero saber o resto da história.",
        "Não dava para dizer melhor.",
    ]
}
