"""What errors say in Portuguese."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

PORTUGUESE: Final = table(
    "portuguese",
    failure(
        CERTAIN,
        """
        ponteiro nulo | referência nula | não implementado | não implementada | estouro
        exceção não tratada | índice fora | divisão por zero | objeto nulo | valor nulo
        instância de um objeto | esperava … null | esperava … nulo | esperava … none
        esperava … undefined | esperado … null | esperado … nulo | esperado … none
        esperado … undefined | esperada … null | esperada … nulo | esperada … none
        esperada … undefined | recebido null | recebeu null | veio null | chegou null
        retornou null | é null | recebido undefined | recebeu undefined | veio undefined
        retornou undefined | é undefined | recebida null | modelo interno | tabela interna
        módulo interno | serializar a resposta | serializar o resultado | serialização da resposta
        consulta sql gerada | consulta interna | variável … não definida no template
        variável … não está definida no template | variável … não definida | função … não definida
        dividir por zero | não foi implementad* | ainda não implementad* | não está implementad*
        falha de segmentação | estado impossível | erro de programação | falha de programação
        erro no código | não estava presente no dicionário | fora dos limites
        fora do intervalo da lista | estouro de pilha | exceção não capturada | asserção
        tipo inesperado | converter um objeto do tipo | módulo … não encontrado
        não tem o atributo | não possui o método | não possui o atributo | método inexistente
        loop infinito | esquema de saída | renderizar o template
        """,
    ),
    conversion(
        CERTAIN,
        """
        coluna … não existe | relação … não existe | tabela … não existe | coluna desconhecida
        erro de sintaxe | cadeia de entrada não estava | não foi possível interpretar
        não foi possível decodificar | não foi possível desserializar | não foi possível converter
        json inválido | json malformado
        """,
    ),
    environment(
        CERTAIN,
        """
        tempo limite | tempo esgotado | tempo de espera | não responde | fora do ar | inacessível
        sobrecarregado | não foi possível conectar | variável de ambiente | não configurado
        não configurada | não está configurado | não está instalado | espaço em disco
        sem conexão | não respondeu | conexão recusada | conexão perdida | conexão encerrada
        conexão interrompida | conexão fechada | máquina de destino | impressora … papel
        impressora … tinta | impressora … toner | impressora … offline | impressora … desligada
        impressora … desconectada | sem papel | sem tinta | não respondeu a tempo
        a variável … não foi definida | a variável … não está definida
        a variável … não configurada | variável … ambiente | certificado ssl | certificado tls
        certificado do servidor | certificado digital do | certificado … expirado
        certificado … servidor | certificado … venceu | certificado … vencido
        certificado … confiável | espaço disponível no dispositivo | sem espaço | disco cheio
        banco de dados … bloqueado | banco de dados … recus | banco de dados … travado
        não foi possível contatar | não foi possível acessar o serv*
        não foi possível estabelecer | sem resposta | demorou demais | demorou muito
        erro do provedor | falta configurar | não foi configurad* | configuração ausente
        configuração … ausente | host desconhecido | não foi possível resolver | falha de rede
        sem rede | sem internet | memória insuficiente | autenticação … falhou para
        muitas conexões | somente leitura | não instalad* | desconectad* | fora de serviço
        """,
    ),
    environment(STRONG, "conexão | manutenção | temporariamente"),
    environment(FAIR, "indisponível | certificado | chave de api"),
    business(CERTAIN, "dados de conexão | certificado de presente"),
    business(
        STRONG,
        """
        não encontrado | não encontrada | não foi encontrado | não foi encontrada
        não encontrados | não existe | não existem | inválido | inválida | já existe | já está
        já foi | já possui | obrigatório | obrigatória | deve ser | devem ser | devem
        não tem permissão | permissão | não autorizado | não autorizada | acesso negado | proibido
        expirado | expirada | desconhecido | desconhecida | muito longo | muito grande
        pelo menos | no máximo | no mínimo | excede | ultrapassa | cota | saldo insuficiente
        insuficiente | falta | faltando | não pode | não podem | não é possível | não há | nenhum
        nenhuma | incorreto | incorreta | não corresponde | não permitido | não permitida
        não é permitido | ocupado | reservado | vazio | não é válido | não é válida
        não é suportado | fora do | fora da | esgotado | não há vagas | sem vagas | sem estoque
        fora de estoque | recusad* | negad* | excedid* | inexistente* | incorret*
        não está disponível | não disponível | não disponíveis | escolha outr* | selecione outr*
        informe um* | viola a restrição | restrição de unicidade | vencid* | venceu | já se
        já tem | já há | já era | já consta | cadastrad* | não cadastrad* | não pertence
        não confere | não conferem | senha* | faça login | faça o login | sessão expir*
        somente o | apenas o | apenas usuários | sem permissão | permissão negada | não possui
        você não tem | não tem acesso | bloqueado por | bloqueada por | suspenso | suspensa
        não reconhecid* | não localizad* | não suportad* | não aceit* | maior que | menor que
        anterior à | anterior a | posterior a | fundos insuficientes | sem saldo
        muitas requisições | muitas tentativas | limite de | duplicad* | em uso | preencha
        não pôde ser encontrad* | precisa ser | precisa estar | cancelado anteriormente
        cancelada anteriormente | não está autorizad* | fora do prazo | fora do horário
        não autoriza* | inválid* | esgotad* | lotad*
        """,
    ),
    unclear(
        FAIR,
        """
        ocorreu um erro | erro desconhecido | erro interno | erro inesperado | algo deu errado
        falhou | falha na operação | tente novamente | falha ao processar | erro ao processar
        erro ao executar | não foi possível concluir | não foi possível completar
        não foi possível processar | não foi possível realizar | não foi possível executar
        algo não funcionou | algo não deu certo | ocorreu uma falha | ocorreu um problema
        houve um erro | houve um problema | aconteceu um erro | contate o administrador
        contate o suporte | entre em contato | foi cancelada | operação cancelada
        falha desconhecida | erro genérico | ocorreu uma exceção
        """,
    ),
)
